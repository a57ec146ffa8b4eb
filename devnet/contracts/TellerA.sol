// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountantBase} from "./AccountantBase.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {TellerBase} from "./TellerBase.sol";

/// Before 2026-01-12: one flag per asset for both directions.
contract TellerA is TellerBase {
    event AssetAdded(address indexed asset);
    event AssetRemoved(address indexed asset);

    mapping(address asset => bool) public isSupported;

    constructor(
        address owner_,
        RolesAuthority authority_,
        AccountantBase accountant_
    ) TellerBase(owner_, authority_, accountant_) {}

    function _canDeposit(address asset) internal view override returns (bool) {
        return isSupported[asset];
    }

    function _canWithdraw(address asset) internal view override returns (bool) {
        return isSupported[asset];
    }

    function addAsset(address asset) external requiresAuth {
        isSupported[asset] = true;
        emit AssetAdded(asset);
    }

    function removeAsset(address asset) external requiresAuth {
        isSupported[asset] = false;
        emit AssetRemoved(asset);
    }
}
