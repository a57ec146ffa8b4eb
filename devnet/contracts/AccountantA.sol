// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountantBase, AccountantTerms} from "./AccountantBase.sol";
import {BoringVault} from "./BoringVault.sol";
import {RolesAuthority} from "./RolesAuthority.sol";

/// Before the 2026 upgrade: a state of ten words, and fees that accrue without an event.
contract AccountantA is AccountantBase {
    struct StateOfTenWords {
        address payoutAddress;
        uint128 feesOwedInBase;
        uint128 totalSharesLastUpdate;
        uint96 exchangeRate;
        uint16 allowedExchangeRateChangeUpper;
        uint16 allowedExchangeRateChangeLower;
        uint64 lastUpdateTimestamp;
        bool isPaused;
        uint32 minimumUpdateDelayInSeconds;
        uint16 managementFee;
    }

    constructor(
        address owner_,
        RolesAuthority authority_,
        BoringVault vault_,
        address base_,
        AccountantTerms memory terms
    ) AccountantBase(owner_, authority_, vault_, base_, terms) {}

    function accountantState() external view returns (StateOfTenWords memory) {
        return
            StateOfTenWords(
                state.payoutAddress,
                state.feesOwedInBase,
                state.totalSharesLastUpdate,
                state.exchangeRate,
                state.allowedExchangeRateChangeUpper,
                state.allowedExchangeRateChangeLower,
                state.lastUpdateTimestamp,
                state.isPaused,
                state.minimumUpdateDelayInSeconds,
                state.managementFee
            );
    }

    function _accrue(uint96 newRate, uint256 shares) internal view override returns (uint256) {
        return _managementFees(newRate, shares);
    }
}
