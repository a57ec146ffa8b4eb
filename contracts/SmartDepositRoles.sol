// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {DepositForm} from "./Depositors.sol";
import {isDepositorOf} from "./VaultRoles.sol";

/// The current depositor of a vault.
struct DepositRoute {
    address depositor;
    DepositForm form;
}

/**
 * Who may do what at a `SmartDepositFactoryB`. The owner, a timelock, names keepers, depositors and endpoint
 * ids. The guardian stops at once, and lets go on: everything but refunds and withdrawals. It also stops a keeper, or
 * the deposits of a vault, until the owner names them again.
 */
abstract contract SmartDepositRoles is Ownable2Step, Pausable {
    event RouteSet(address indexed vault, address indexed depositor, DepositForm form);
    event EndpointSet(uint256 indexed chainId, uint32 eid);
    event KeeperSet(address indexed keeper, bool isKeeper);
    event GuardianSet(address indexed guardian);

    error NotKeeper(address caller);
    error NotGuardian(address caller);
    error OwnerNeeded();
    error NotDepositorOf(address depositor, address vault);

    address public guardian;
    mapping(address vault => DepositRoute) public routeOf;
    /// LayerZero's endpoint id of a chain, zero if it is not known here.
    mapping(uint256 chainId => uint32) public endpointOf;
    mapping(address account => bool) public isKeeper;

    constructor(address owner_, address guardian_) Ownable(owner_) {
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

    /// Whether an account may settle payments. The owner always may.
    function setKeeper(address keeper, bool isKeeper_) external onlyOwner {
        _setKeeper(keeper, isKeeper_);
    }

    /// Names the guardian, zero for none.
    function setGuardian(address guardian_) external onlyOwner {
        _setGuardian(guardian_);
    }

    /// Sets LayerZero's endpoint id of a chain, zero to stop conversions to it.
    function setEndpoint(uint256 chainId, uint32 eid) external onlyOwner {
        endpointOf[chainId] = eid;
        emit EndpointSet(chainId, eid);
    }

    /// Sets which of the vault's own depositors is used. No address changes. `NONE` stops its deposits.
    function setRoute(address vault, address depositor, DepositForm form) external onlyOwner {
        if (form != DepositForm.NONE && !isDepositorOf(depositor, vault))
            revert NotDepositorOf(depositor, vault);
        _setRoute(vault, depositor, form);
    }

    /// Without an owner no depositor could be replaced, and no keeper.
    function renounceOwnership() public pure override {
        revert OwnerNeeded();
    }

    /// Stops forwards, conversions and recoveries.
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

    function _setKeeper(address keeper, bool isKeeper_) private {
        isKeeper[keeper] = isKeeper_;
        emit KeeperSet(keeper, isKeeper_);
    }

    function _setGuardian(address guardian_) private {
        guardian = guardian_;
        emit GuardianSet(guardian_);
    }

    function _setRoute(address vault, address depositor, DepositForm form) private {
        routeOf[vault] = DepositRoute(depositor, form);
        emit RouteSet(vault, depositor, form);
    }
}
