// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {DepositForm, IDepositor} from "./Depositors.sol";
import {DepositTerms, SmartDepositAccount} from "./SmartDepositAccount.sol";

/// The inputs of a smart deposit address, besides the chain and this factory.
struct AccountKey {
    address destination;
    address vault;
    address inputToken;
    /// The customer id's keccak256, zero for none.
    bytes32 customer;
}

/// The current depositor of a vault.
struct Route {
    address depositor;
    DepositForm form;
}

/**
 * Creates smart deposit addresses and settles the payments to them. A payment is the id that keepers give
 * to one transfer to an address; each is settled once: forwarded, refunded or recovered. Keepers choose
 * when and how, but not the receiver.
 *
 * The owner, a timelock, names keepers and depositors. The guardian only stops at once: a keeper, the
 * deposits of a vault, or everything but refunds, which can always be made.
 */
contract SmartDepositFactory is Ownable2Step, Pausable, ReentrancyGuard {
    event AccountCreated(
        address indexed account,
        address indexed destination,
        address indexed vault,
        address inputToken,
        bytes32 customer
    );
    event Forwarded(
        address indexed account,
        bytes32 indexed payment,
        uint256 amount,
        uint256 shares
    );
    event Refunded(
        address indexed account,
        bytes32 indexed payment,
        address indexed token,
        uint256 amount
    );
    event Recovered(
        address indexed account,
        bytes32 indexed payment,
        address indexed token,
        uint256 amount
    );
    event RouteSet(address indexed vault, address indexed depositor, DepositForm form);
    event KeeperSet(address indexed keeper, bool isKeeper);
    event GuardianSet(address indexed guardian);

    error NotKeeper(address caller);
    error NotGuardian(address caller);
    error OwnerNeeded();
    error AlreadySettled(bytes32 payment);
    error NoRoute(address vault);
    error OtherVault(address depositor, address vault);
    error ZeroAddress();
    error ZeroAmount();

    SmartDepositAccount public immutable implementation;
    address public guardian;
    mapping(address vault => Route) public routeOf;
    mapping(address account => bool) public isKeeper;
    mapping(bytes32 payment => bool) public isSettled;

    constructor(
        address owner_,
        address guardian_,
        address recoveryWallet
    ) Ownable(owner_) {
        if (recoveryWallet == address(0)) revert ZeroAddress();
        implementation = new SmartDepositAccount(recoveryWallet);
        _setGuardian(guardian_);
    }

    modifier onlyKeeper() {
        if (!isKeeper[msg.sender] && msg.sender != owner()) revert NotKeeper(msg.sender);
        _;
    }

    modifier onlyGuardian() {
        if (msg.sender != guardian && msg.sender != owner()) revert NotGuardian(msg.sender);
        _;
    }

    /// Whether an account may settle payments; the owner always may.
    function setKeeper(address keeper, bool isKeeper_) external onlyOwner {
        _setKeeper(keeper, isKeeper_);
    }

    /// Names the guardian; zero for none.
    function setGuardian(address guardian_) external onlyOwner {
        _setGuardian(guardian_);
    }

    /// Without an owner no depositor could be replaced, and no keeper.
    function renounceOwnership() public pure override {
        revert OwnerNeeded();
    }

    /// Stops forwards and recoveries.
    function pause() external onlyGuardian {
        _pause();
    }

    function unpause() external onlyGuardian {
        _unpause();
    }

    /// Takes an account's right to settle at once.
    function dismissKeeper(address keeper) external onlyGuardian {
        _setKeeper(keeper, false);
    }

    /// Stops the deposits of a vault at once.
    function stopRoute(address vault) external onlyGuardian {
        _setRoute(vault, address(0), DepositForm.NONE);
    }

    /// Sets the depositor of a vault; no address changes. `NONE` stops its deposits.
    function setRoute(address vault, address depositor, DepositForm form) external onlyOwner {
        if (form != DepositForm.NONE && IDepositor(depositor).boringVault() != vault)
            revert OtherVault(depositor, vault);
        _setRoute(vault, depositor, form);
    }

    /// The address of a key, before and after its creation.
    function accountOf(AccountKey calldata key) public view returns (address) {
        return
            Clones.predictDeterministicAddressWithImmutableArgs(
                address(implementation),
                _args(key),
                _salt(key)
            );
    }

    /// Deposits an amount of the input token into the vault; the destination gets the shares.
    function forward(
        AccountKey calldata key,
        bytes32 payment,
        DepositTerms calldata wanted
    ) external onlyKeeper whenNotPaused nonReentrant returns (uint256 shares) {
        Route memory route = routeOf[key.vault];
        if (route.form == DepositForm.NONE) revert NoRoute(key.vault);
        SmartDepositAccount account = _settle(key, payment, wanted.amount);
        shares = account.deposit(route.depositor, route.form, wanted);
        emit Forwarded(address(account), payment, wanted.amount, shares);
    }

    /// Sends an amount of any token (zero: the native coin) back to the destination.
    function refund(
        AccountKey calldata key,
        bytes32 payment,
        address token,
        uint256 amount
    ) external onlyKeeper nonReentrant {
        SmartDepositAccount account = _settle(key, payment, amount);
        account.refund(token, amount);
        emit Refunded(address(account), payment, token, amount);
    }

    /// Sends an amount of any token (zero: the native coin) to the recovery wallet.
    function recover(
        AccountKey calldata key,
        bytes32 payment,
        address token,
        uint256 amount
    ) external onlyKeeper whenNotPaused nonReentrant {
        SmartDepositAccount account = _settle(key, payment, amount);
        account.recover(token, amount);
        emit Recovered(address(account), payment, token, amount);
    }

    function _setKeeper(address keeper, bool isKeeper_) private {
        isKeeper[keeper] = isKeeper_;
        emit KeeperSet(keeper, isKeeper_);
    }

    function _setGuardian(address guardian_) private {
        guardian = guardian_;
        emit GuardianSet(guardian_);
    }

    function _setRoute(address vault, address depositor, DepositForm form) private {
        routeOf[vault] = Route(depositor, form);
        emit RouteSet(vault, depositor, form);
    }

    /// Marks the payment as settled, and creates the account if it does not exist.
    function _settle(
        AccountKey calldata key,
        bytes32 payment,
        uint256 amount
    ) private returns (SmartDepositAccount account) {
        if (amount == 0) revert ZeroAmount();
        if (isSettled[payment]) revert AlreadySettled(payment);
        isSettled[payment] = true;
        account = SmartDepositAccount(accountOf(key));
        if (address(account).code.length > 0) return account;
        Clones.cloneDeterministicWithImmutableArgs(
            address(implementation),
            _args(key),
            _salt(key)
        );
        emit AccountCreated(
            address(account),
            key.destination,
            key.vault,
            key.inputToken,
            key.customer
        );
    }

    function _args(AccountKey calldata key) private pure returns (bytes memory) {
        return abi.encode(key.destination, key.vault, key.inputToken);
    }

    /// Contains the chain id, so that an address belongs to one chain only.
    function _salt(AccountKey calldata key) private view returns (bytes32) {
        return
            keccak256(
                abi.encode(
                    key.destination,
                    key.vault,
                    key.inputToken,
                    block.chainid,
                    key.customer
                )
            );
    }
}
