// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Authorized} from "./Authorized.sol";
import {BoringVault} from "./BoringVault.sol";
import {RateProvider} from "./RateProvider.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";

interface IDecimals {
    function decimals() external view returns (uint8);
}

struct AccountantTerms {
    address payoutAddress;
    uint96 startingExchangeRate;
    uint16 allowedExchangeRateChangeUpper;
    uint16 allowedExchangeRateChangeLower;
    uint32 minimumUpdateDelayInSeconds;
    uint16 managementFee;
    uint16 performanceFee;
}

struct AccountantState {
    address payoutAddress;
    uint128 feesOwedInBase;
    uint128 totalSharesLastUpdate;
    uint96 exchangeRate;
    uint96 highestExchangeRate;
    uint16 allowedExchangeRateChangeUpper;
    uint16 allowedExchangeRateChangeLower;
    uint64 lastUpdateTimestamp;
    bool isPaused;
    uint32 minimumUpdateDelayInSeconds;
    uint16 managementFee;
    uint16 performanceFee;
}

/// The value of a share, in the base and in every asset. Generations differ in their state and events.
abstract contract AccountantBase is Authorized {
    using SafeTransfer for address;

    event ExchangeRateUpdated(uint96 oldRate, uint96 newRate, uint64 currentTime);
    event RateProviderUpdated(address asset, bool isPegged, address rateProvider);
    event FeesClaimed(address indexed feeAsset, uint256 amount);
    event Paused();
    event Unpaused();

    error AccountantWithRateProviders__Paused();
    error AccountantWithRateProviders__ZeroFeesOwed();
    error AccountantWithRateProviders__OnlyCallableByBoringVault();

    struct RateProviderData {
        bool isPeggedToBase;
        RateProvider rateProvider;
    }

    uint256 internal constant BPS = 10_000;

    BoringVault public immutable vault;
    address public immutable base;
    uint8 public immutable decimals;
    uint256 internal immutable oneShare;
    AccountantState internal state;
    mapping(address asset => RateProviderData) public rateProviderData;

    constructor(
        address owner_,
        RolesAuthority authority_,
        BoringVault vault_,
        address base_,
        AccountantTerms memory terms
    ) Authorized(owner_, authority_) {
        vault = vault_;
        base = base_;
        decimals = IDecimals(base_).decimals();
        oneShare = 10 ** vault_.decimals();
        state = AccountantState({
            payoutAddress: terms.payoutAddress,
            feesOwedInBase: 0,
            totalSharesLastUpdate: uint128(vault_.totalSupply()),
            exchangeRate: terms.startingExchangeRate,
            highestExchangeRate: terms.startingExchangeRate,
            allowedExchangeRateChangeUpper: terms.allowedExchangeRateChangeUpper,
            allowedExchangeRateChangeLower: terms.allowedExchangeRateChangeLower,
            lastUpdateTimestamp: uint64(block.timestamp),
            isPaused: false,
            minimumUpdateDelayInSeconds: terms.minimumUpdateDelayInSeconds,
            managementFee: terms.managementFee,
            performanceFee: terms.performanceFee
        });
    }

    modifier whenNotPaused() {
        if (state.isPaused) revert AccountantWithRateProviders__Paused();
        _;
    }

    function getRate() public view returns (uint256) {
        return state.exchangeRate;
    }

    function getRateSafe() external view whenNotPaused returns (uint256) {
        return getRate();
    }

    function getRateInQuoteSafe(address quote) external view whenNotPaused returns (uint256) {
        return getRateInQuote(quote);
    }

    function getRateInQuote(address quote) public view returns (uint256) {
        if (quote == base) return state.exchangeRate;
        uint8 quoteDecimals = IDecimals(quote).decimals();
        uint256 rate = decimals <= quoteDecimals
            ? uint256(state.exchangeRate) * 10 ** (quoteDecimals - decimals)
            : state.exchangeRate / 10 ** (decimals - quoteDecimals);
        RateProviderData storage data = rateProviderData[quote];
        if (data.isPeggedToBase) return rate;
        return (10 ** quoteDecimals * rate) / data.rateProvider.getRate();
    }

    /// A rate that is out of bounds or comes too early pauses the accountant and is not stored.
    function updateExchangeRate(uint96 newRate) external requiresAuth whenNotPaused {
        uint256 current = state.exchangeRate;
        uint64 time = uint64(block.timestamp);
        if (
            time < state.lastUpdateTimestamp + state.minimumUpdateDelayInSeconds ||
            newRate > (current * state.allowedExchangeRateChangeUpper) / BPS ||
            newRate < (current * state.allowedExchangeRateChangeLower) / BPS
        ) {
            _setPaused(true);
            return;
        }
        uint256 supply = vault.totalSupply();
        uint256 last = state.totalSharesLastUpdate;
        state.feesOwedInBase += uint128(_accrue(newRate, supply < last ? supply : last));
        if (newRate > state.highestExchangeRate) state.highestExchangeRate = newRate;
        state.totalSharesLastUpdate = uint128(supply);
        state.exchangeRate = newRate;
        state.lastUpdateTimestamp = time;
        emit ExchangeRateUpdated(uint96(current), newRate, time);
    }

    /// The fees since the last update, in the base, for the shares that existed at both updates.
    function _accrue(uint96 newRate, uint256 shares) internal virtual returns (uint256);

    function _managementFees(uint96 newRate, uint256 shares) internal view returns (uint256) {
        uint256 current = state.exchangeRate;
        uint256 assets = (shares * (newRate < current ? newRate : current)) / oneShare;
        uint256 elapsed = block.timestamp - state.lastUpdateTimestamp;
        return (((assets * state.managementFee) / BPS) * elapsed) / 365 days;
    }

    function claimFees(address feeAsset) external whenNotPaused {
        if (msg.sender != address(vault))
            revert AccountantWithRateProviders__OnlyCallableByBoringVault();
        uint256 owed = state.feesOwedInBase;
        if (owed == 0) revert AccountantWithRateProviders__ZeroFeesOwed();
        uint256 amount = (owed * getRateInQuote(feeAsset)) / state.exchangeRate;
        state.feesOwedInBase = 0;
        feeAsset.safeTransferFrom(msg.sender, state.payoutAddress, amount);
        emit FeesClaimed(feeAsset, amount);
    }

    function setRateProviderData(
        address asset,
        bool isPegged,
        RateProvider rateProvider
    ) external requiresAuth {
        rateProviderData[asset] = RateProviderData(isPegged, rateProvider);
        emit RateProviderUpdated(asset, isPegged, address(rateProvider));
    }

    function pause() external requiresAuth {
        _setPaused(true);
    }

    function unpause() external requiresAuth {
        _setPaused(false);
    }

    function _setPaused(bool isPaused) private {
        state.isPaused = isPaused;
        if (isPaused) emit Paused();
        else emit Unpaused();
    }
}
