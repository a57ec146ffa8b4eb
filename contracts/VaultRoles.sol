// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IDepositor} from "./Depositors.sol";

/// Solmate's `RolesAuthority`, which says who may call what of a vault and of its teller. Roles are bits.
interface IRolesAuthority {
    function getUserRoles(address user) external view returns (bytes32);
    function getRolesWithCapability(
        address target,
        bytes4 selector
    ) external view returns (bytes32);
}

interface IAuthorized {
    function authority() external view returns (IRolesAuthority);
}

interface ITellersDepositor is IDepositor {
    function teller() external view returns (address);
}

interface IVaultsTeller {
    function vault() external view returns (address);
}

bytes4 constant ENTER = bytes4(keccak256("enter(address,address,uint256,address,uint256)"));
bytes4 constant TELLER_DEPOSIT = bytes4(keccak256("deposit(address,uint256,uint256)"));

/**
 * Whether the vault's own authority made this contract its depositor: its teller is of that vault and has a role that
 * may mint the vault's shares, and it has a role that may use that teller. What everybody may call proves nothing.
 */
function isDepositorOf(address depositor, address vault) view returns (bool) {
    address teller = ITellersDepositor(depositor).teller();
    return
        IVaultsTeller(teller).vault() == vault &&
        hasRole(teller, vault, ENTER) &&
        hasRole(depositor, teller, TELLER_DEPOSIT);
}

function hasRole(address user, address target, bytes4 selector) view returns (bool) {
    IRolesAuthority authority = IAuthorized(target).authority();
    bytes32 roles = authority.getUserRoles(user);
    return roles & authority.getRolesWithCapability(target, selector) != 0;
}
