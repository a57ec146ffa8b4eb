// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Authorized} from "./Authorized.sol";
import {RolesAuthority} from "./RolesAuthority.sol";

interface IBeforeTransferHook {
    function beforeTransfer(address from, address to, address operator) external view;
}

/// Lets shares move only between accounts that are not frozen.
contract FreezeHook is IBeforeTransferHook, Authorized {
    event FreezeListUpdated(address indexed account, bool indexed isFrozen);

    error FrozenAddress(address account);

    mapping(address account => bool) public freezeList;

    constructor(address owner_, RolesAuthority authority_) Authorized(owner_, authority_) {}

    function setFrozen(address account, bool isFrozen) external requiresAuth {
        freezeList[account] = isFrozen;
        emit FreezeListUpdated(account, isFrozen);
    }

    function beforeTransfer(address from, address to, address operator) external view {
        if (freezeList[from]) revert FrozenAddress(from);
        if (freezeList[to]) revert FrozenAddress(to);
        if (freezeList[operator]) revert FrozenAddress(operator);
    }
}
