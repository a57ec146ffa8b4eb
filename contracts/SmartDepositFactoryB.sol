// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {ReentrancyGuard} from "@openzeppelin/contracts/utils/ReentrancyGuard.sol";
import {DepositForm} from "./Depositors.sol";
import {DepositTerms} from "./SmartDepositAccount.sol";
import {Promises, SmartDepositAccountB} from "./SmartDepositAccountB.sol";
import {DepositRoute, SmartDepositRoles} from "./SmartDepositRoles.sol";
import {TransitQuote} from "./Transit.sol";
import {isDepositorOf} from "./VaultRoles.sol";

/// The inputs of a smart deposit address.
struct AccountInputs {
    address destination;
    address vault;
    address inputToken;
    /// The chain of the vault and the accepted token.
    uint256 chainId;
    /// The keccak256 of organization and customer id, zero for none.
    bytes32 customer;
}

enum SettlementKind {
    /// Into the vault. Terms: `DepositTerms`.
    FORWARD,
    /// Into a Transit order to the account itself. Terms: `TransitQuote, bytes signature`.
    CONVERT,
    /// To the destination. Terms: `address token, uint256 amount`. The zero address is the native coin.
    REFUND,
    /// To the recovery wallet. Terms as of a refund.
    RECOVER
}

/// How one payment is settled. `terms` are ABI-encoded, by kind.
struct Settlement {
    AccountInputs inputs;
    bytes32 payment;
    SettlementKind kind;
    bytes terms;
}

/// One settlement of a batch, with the coins and the gas that it may use.
struct Part {
    Settlement settlement;
    uint256 value;
    uint256 gasLimit;
}

/**
 * Creates smart deposit addresses, the same on every chain, and settles the payments to them. A payment is
 * the id that keepers give to one transfer to an address. Each is settled at most once. Keepers choose when
 * and how, but not the receiver.
 *
 * The destination can take everything itself, after a delay that it started itself. Nobody can stop that:
 * not the owner, not the guardian, not a pause.
 */
contract SmartDepositFactoryB is SmartDepositRoles, ReentrancyGuard {
    event AccountCreated(
        address indexed account,
        address indexed destination,
        address indexed vault,
        address inputToken,
        uint256 chainId,
        bytes32 customer
    );
    event Forwarded(
        address indexed account,
        bytes32 indexed payment,
        uint256 amount,
        uint256 shares
    );
    event Converted(
        address indexed account,
        bytes32 indexed payment,
        bytes32 indexed orderId,
        address token,
        uint256 amount
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
    /// A part of a batch that reverted. `reason` is the first four bytes of its error, zero for none.
    event SettlementFailed(bytes32 indexed payment, bytes4 reason);
    /// A batch that had too little gas left for this part. It and the parts after it were not tried.
    event BatchStopped(uint256 part);
    event WithdrawalRequested(
        address indexed account,
        address indexed destination,
        uint256 opensAt,
        uint256 closesAt
    );
    event Withdrawn(address indexed account, address indexed token, uint256 amount);

    error NotDestination(address caller);
    error NotSelf(address caller);
    error AlreadySettled(bytes32 payment);
    error NoRoute(address vault);
    error NoEndpoint(uint256 chainId);
    error BadPromises();
    error BadDestination(address destination);
    error ZeroAmount();
    error TooLittleGas();
    error WithdrawalClosed(uint256 opensAt, uint256 closesAt);
    error UnexpectedCoins(address sender);

    /// How long a destination may withdraw once its delay is over. Then it requests again.
    uint256 public constant WITHDRAWAL_WINDOW = 3 days;
    uint256 private constant LEAST_DELAY = 1 hours;
    uint256 private constant MOST_DELAY = 30 days;
    uint256 private constant MOST_FEE_BPS = 1_000;
    /// The gas that the batch itself needs for each part, with room.
    uint256 private constant GAS_PER_PART = 50_000;

    SmartDepositAccountB public immutable implementation;
    uint256 public immutable withdrawalDelay;
    mapping(bytes32 payment => bool) public isSettled;
    /// When the destination may withdraw, zero if it never requested it.
    mapping(address account => uint256) public withdrawalOpensAt;

    /// All arguments must be the same on every chain: the address follows from them.
    constructor(
        address owner_,
        address guardian_,
        Promises memory promises
    ) SmartDepositRoles(owner_, guardian_) {
        if (
            promises.recoveryWallet == address(0) ||
            promises.withdrawalDelay < LEAST_DELAY ||
            promises.withdrawalDelay > MOST_DELAY ||
            promises.maxTransitFeeBps > MOST_FEE_BPS
        ) revert BadPromises();
        withdrawalDelay = promises.withdrawalDelay;
        implementation = new SmartDepositAccountB(promises);
    }

    modifier onlyDestination(AccountInputs calldata inputs) {
        if (msg.sender != inputs.destination) revert NotDestination(msg.sender);
        _;
    }

    /// Only the excess of a conversion comes here, and goes on to the keeper that sent it.
    receive() external payable {
        if (!_reentrancyGuardEntered()) revert UnexpectedCoins(msg.sender);
    }

    /// The address of these inputs, on every chain, before and after its creation.
    function accountOf(AccountInputs calldata inputs) public view returns (address) {
        return
            Clones.predictDeterministicAddressWithImmutableArgs(
                address(implementation),
                _args(inputs),
                keccak256(abi.encode(inputs))
            );
    }

    /// Settles one payment, or reverts. Coins that it does not use come back to the caller.
    function settle(Settlement calldata one) external payable onlyKeeper nonReentrant {
        _settle(one);
        _returnCoins();
    }

    /**
     * Settles many payments. A part that reverts changes nothing and stops no other: `SettlementFailed`
     * names it. Coins that no part used come back to the caller. Send the gas of all limits: a part may use
     * more than it did when the gas was estimated, and a batch stops before a part that it cannot pay for.
     */
    function settleMany(Part[] calldata parts) external payable onlyKeeper nonReentrant {
        for (uint256 i; i < parts.length; ++i) {
            Part calldata part = parts[i];
            // A call gets at most 63/64 of what is left. With less than it was promised it would fail by our fault.
            if (gasleft() < part.gasLimit + part.gasLimit / 63 + GAS_PER_PART) {
                if (i == 0) revert TooLittleGas();
                // It stops, and does not revert: a part that burns its gas must not undo the parts before it.
                emit BatchStopped(i);
                break;
            }
            try
                this.settlePart{value: part.value, gas: part.gasLimit}(part.settlement)
            {} catch {
                emit SettlementFailed(part.settlement.payment, _revertSelector());
            }
        }
        _returnCoins();
    }

    /// One part of `settleMany`, which alone may call it.
    function settlePart(Settlement calldata one) external payable {
        if (msg.sender != address(this)) revert NotSelf(msg.sender);
        _settle(one);
    }

    /// Starts the delay after which the destination may withdraw everything. A second request starts it again.
    function requestWithdrawal(
        AccountInputs calldata inputs
    ) external onlyDestination(inputs) returns (uint256 opensAt) {
        address account = accountOf(inputs);
        opensAt = block.timestamp + withdrawalDelay;
        withdrawalOpensAt[account] = opensAt;
        emit WithdrawalRequested(account, msg.sender, opensAt, opensAt + WITHDRAWAL_WINDOW);
    }

    /// Sends all of a token (zero: the native coin) to the destination, once its delay is over.
    function withdraw(
        AccountInputs calldata inputs,
        address token
    ) external onlyDestination(inputs) nonReentrant returns (uint256 amount) {
        SmartDepositAccountB account = _account(inputs);
        amount = token == address(0)
            ? address(account).balance
            : IERC20(token).balanceOf(address(account));
        _withdraw(account, token, amount);
    }

    /// Like `withdraw`, for a token that does not let the whole balance go at once.
    function withdrawAmount(
        AccountInputs calldata inputs,
        address token,
        uint256 amount
    ) external onlyDestination(inputs) nonReentrant {
        _withdraw(_account(inputs), token, amount);
    }

    function _withdraw(SmartDepositAccountB account, address token, uint256 amount) private {
        uint256 opensAt = withdrawalOpensAt[address(account)];
        uint256 closesAt = opensAt == 0 ? 0 : opensAt + WITHDRAWAL_WINDOW;
        if (block.timestamp < opensAt || block.timestamp >= closesAt)
            revert WithdrawalClosed(opensAt, closesAt);
        if (amount == 0) revert ZeroAmount();
        account.refund(token, amount);
        emit Withdrawn(address(account), token, amount);
    }

    function _settle(Settlement calldata one) private {
        if (isSettled[one.payment]) revert AlreadySettled(one.payment);
        isSettled[one.payment] = true;
        if (one.kind != SettlementKind.REFUND) _requireNotPaused();
        SmartDepositAccountB account = _account(one.inputs);
        if (one.kind == SettlementKind.FORWARD) _forward(account, one);
        else if (one.kind == SettlementKind.CONVERT) _convert(account, one);
        else _return(account, one);
    }

    function _forward(SmartDepositAccountB account, Settlement calldata one) private {
        DepositTerms memory wanted = abi.decode(one.terms, (DepositTerms));
        if (wanted.amount == 0) revert ZeroAmount();
        DepositRoute memory route = routeOf[one.inputs.vault];
        if (route.form == DepositForm.NONE) revert NoRoute(one.inputs.vault);
        // The vault may have taken its role since the route was set.
        if (!isDepositorOf(route.depositor, one.inputs.vault))
            revert NotDepositorOf(route.depositor, one.inputs.vault);
        uint256 shares = account.deposit(route.depositor, route.form, wanted);
        emit Forwarded(address(account), one.payment, wanted.amount, shares);
    }

    function _convert(SmartDepositAccountB account, Settlement calldata one) private {
        (TransitQuote memory quote, bytes memory signature) = abi.decode(
            one.terms,
            (TransitQuote, bytes)
        );
        if (quote.offerAmount == 0) revert ZeroAmount();
        uint32 homeEID = endpointOf[one.inputs.chainId];
        if (homeEID == 0) revert NoEndpoint(one.inputs.chainId);
        bytes32 orderId = account.convert{value: msg.value}(homeEID, quote, signature);
        emit Converted(
            address(account),
            one.payment,
            orderId,
            quote.route.offerAsset,
            quote.offerAmount
        );
    }

    function _return(SmartDepositAccountB account, Settlement calldata one) private {
        (address token, uint256 amount) = abi.decode(one.terms, (address, uint256));
        if (amount == 0) revert ZeroAmount();
        if (one.kind == SettlementKind.REFUND) {
            account.refund(token, amount);
            emit Refunded(address(account), one.payment, token, amount);
        } else {
            account.recover(token, amount);
            emit Recovered(address(account), one.payment, token, amount);
        }
    }

    /// The account of these inputs, created if it does not exist.
    function _account(AccountInputs calldata inputs) private returns (SmartDepositAccountB account) {
        account = SmartDepositAccountB(payable(accountOf(inputs)));
        if (address(account).code.length > 0) return account;
        // A refund to them would be lost, or a keeper's.
        if (inputs.destination == address(0) || inputs.destination == address(this))
            revert BadDestination(inputs.destination);
        Clones.cloneDeterministicWithImmutableArgs(
            address(implementation),
            _args(inputs),
            keccak256(abi.encode(inputs))
        );
        emit AccountCreated(
            address(account),
            inputs.destination,
            inputs.vault,
            inputs.inputToken,
            inputs.chainId,
            inputs.customer
        );
    }

    function _returnCoins() private {
        // Others may send coins while a call runs. A keeper that takes none must still be able to settle.
        if (msg.value == 0) return;
        uint256 coins = address(this).balance;
        if (coins > 0) Address.sendValue(payable(msg.sender), coins);
    }

    /// The first four bytes of the last call's revert. More is not copied: a hostile token could make it dear.
    function _revertSelector() private pure returns (bytes4 selector) {
        assembly ("memory-safe") {
            if gt(returndatasize(), 3) {
                returndatacopy(0, 0, 4)
                selector := and(mload(0), shl(224, 0xffffffff))
            }
        }
    }

    function _args(AccountInputs calldata inputs) private pure returns (bytes memory) {
        return abi.encode(inputs.destination, inputs.vault, inputs.inputToken, inputs.chainId);
    }
}
