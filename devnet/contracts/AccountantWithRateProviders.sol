// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountantBase, AccountantState, AccountantTerms} from "./AccountantBase.sol";
import {BoringVault} from "./BoringVault.sol";
import {RolesAuthority} from "./RolesAuthority.sol";

/// Since the 2026 upgrade: keeps the highest rate and charges a fee on gains above it.
contract AccountantWithRateProviders is AccountantBase {
    event ManagementFeesAccrued(uint256 managementFees);
    event PerformanceFeesAccrued(uint256 performanceFees);

    constructor(
        address owner_,
        RolesAuthority authority_,
        BoringVault vault_,
        address base_,
        AccountantTerms memory terms
    ) AccountantBase(owner_, authority_, vault_, base_, terms) {}

    function accountantState() external view returns (AccountantState memory) {
        return state;
    }

    function _accrue(uint96 newRate, uint256 shares) internal override returns (uint256 owed) {
        owed = _managementFees(newRate, shares);
        emit ManagementFeesAccrued(owed);
        uint96 highest = state.highestExchangeRate;
        if (newRate <= highest || state.performanceFee == 0) return owed;
        uint256 gain = ((newRate - highest) * shares) / oneShare;
        uint256 performanceFees = (gain * state.performanceFee) / BPS;
        emit PerformanceFeesAccrued(performanceFees);
        return owed + performanceFees;
    }
}
