// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountantBase} from "./AccountantBase.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {TellerBase} from "./TellerBase.sol";

/// Since 2026-01-12: one flag per asset for deposits and one for withdrawals.
contract Teller is TellerBase {
    event DepositAssetAdded(address indexed asset);
    event DepositAssetRemoved(address indexed asset);
    event WithdrawAssetAdded(address indexed asset);
    event WithdrawAssetRemoved(address indexed asset);

    mapping(address asset => bool) public isDepositSupported;
    mapping(address asset => bool) public isWithdrawSupported;

    constructor(
        address owner_,
        RolesAuthority authority_,
        AccountantBase accountant_
    ) TellerBase(owner_, authority_, accountant_) {}

    function _canDeposit(address asset) internal view override returns (bool) {
        return isDepositSupported[asset];
    }

    function _canWithdraw(address asset) internal view override returns (bool) {
        return isWithdrawSupported[asset];
    }

    function addDepositAsset(address asset) external requiresAuth {
        isDepositSupported[asset] = true;
        emit DepositAssetAdded(asset);
    }

    function removeDepositAsset(address asset) external requiresAuth {
        isDepositSupported[asset] = false;
        emit DepositAssetRemoved(asset);
    }

    function addWithdrawAsset(address asset) external requiresAuth {
        isWithdrawSupported[asset] = true;
        emit WithdrawAssetAdded(asset);
    }

    function removeWithdrawAsset(address asset) external requiresAuth {
        isWithdrawSupported[asset] = false;
        emit WithdrawAssetRemoved(asset);
    }
}
