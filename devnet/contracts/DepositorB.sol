// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AttestedDepositor, DepositorTerms} from "./AttestedDepositor.sol";
import {DepositCall} from "./DepositorBase.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {TellerBase} from "./TellerBase.sol";

/// 2026-01-29 to 03-11: takes its fee from the minted shares.
abstract contract DepositorB is AttestedDepositor {
    using SafeTransfer for address;

    event DepositWithDistributorCode(
        address indexed depositor,
        address indexed depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes32 depositHash,
        bytes indexed distributorCode
    );

    error FeesExceedOrEqualShares();
    error InsufficientSharesAfterFees(uint256 actual, uint256 minimum);

    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        DepositorTerms memory terms
    ) AttestedDepositor(owner_, authority_, teller_, terms) {}

    function _feeInAsset(DepositCall memory) internal pure override returns (uint256) {
        return 0;
    }

    function _deposit(DepositCall memory call_, uint256) internal override returns (uint256 shares) {
        uint256 minted = _mint(call_.asset, call_.amount, call_.minimumMint);
        uint256 fee = _calculateFee(call_, minted);
        if (fee >= minted) revert FeesExceedOrEqualShares();
        if (fee > 0) address(boringVault).safeTransfer(feeRecipient, fee);
        shares = minted - fee;
        if (shares < call_.minimumMint)
            revert InsufficientSharesAfterFees(shares, call_.minimumMint);
        bytes32 depositHash = _passOn(call_.to, shares);
        _checkCap();
        emit DepositWithDistributorCode(
            msg.sender,
            call_.asset,
            call_.amount,
            call_.minimumMint,
            call_.to,
            depositHash,
            call_.distributorCode
        );
    }

    function _checkCap() internal view virtual;
}

/// Until 2026-03-10: the getter is `supplyCap`.
abstract contract DepositorBWithSupplyCap is DepositorB {
    event SupplyCapUpdated(uint256 newSupplyCap);

    error SupplyCapError(uint256 resulting, uint256 supplyCap);

    uint256 public supplyCap;

    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        DepositorTerms memory terms
    ) DepositorB(owner_, authority_, teller_, terms) {
        supplyCap = terms.supplyCap;
    }

    function _checkCap() internal view override {
        uint256 resulting = _capped();
        if (resulting > supplyCap) revert SupplyCapError(resulting, supplyCap);
    }

    /// The amount that the cap limits, in its unit.
    function _capped() internal view virtual returns (uint256);

    function updateSupplyCap(uint256 cap) external requiresAuth {
        supplyCap = cap;
        emit SupplyCapUpdated(cap);
    }
}

/// Until 2026-03-08: the cap is in shares.
contract DepositorBInShares is DepositorBWithSupplyCap {
    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        DepositorTerms memory terms
    ) DepositorBWithSupplyCap(owner_, authority_, teller_, terms) {}

    function _capped() internal view override returns (uint256) {
        return boringVault.totalSupply();
    }
}

/// 2026-03-09 and 10: the same getter, but the cap is in the base.
contract DepositorBInValue is DepositorBWithSupplyCap {
    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        DepositorTerms memory terms
    ) DepositorBWithSupplyCap(owner_, authority_, teller_, terms) {}

    function _capped() internal view override returns (uint256) {
        return _supplyInBase();
    }
}

/// 2026-03-11: the getter of the later generations, and the fee of the earlier ones.
contract DepositorBHybrid is DepositorB {
    event SupplyCapInBaseUpdated(uint256 newSupplyCapInBase);

    error SupplyCapInBaseError(uint256 resultingValue, uint256 supplyCapInBase);

    uint256 public supplyCapInBase;

    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        DepositorTerms memory terms
    ) DepositorB(owner_, authority_, teller_, terms) {
        supplyCapInBase = terms.supplyCap;
    }

    function _checkCap() internal view override {
        uint256 value = _supplyInBase();
        if (value > supplyCapInBase) revert SupplyCapInBaseError(value, supplyCapInBase);
    }

    function updateSupplyCapInBase(uint256 cap) external requiresAuth {
        supplyCapInBase = cap;
        emit SupplyCapInBaseUpdated(cap);
    }
}
