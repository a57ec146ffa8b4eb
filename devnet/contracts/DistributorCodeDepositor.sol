// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AttestedDepositor, DepositorTerms} from "./AttestedDepositor.sol";
import {DepositCall} from "./DepositorBase.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {TellerBase} from "./TellerBase.sol";

/// Has a fee in the deposit asset, a cap in the base, and attestations for assets that require them.
contract DistributorCodeDepositor is AttestedDepositor {
    using SafeTransfer for address;

    event DepositWithDistributorCode(
        address indexed depositor,
        address indexed depositAsset,
        uint256 depositAmount,
        uint256 feeAmount,
        uint256 minimumMint,
        address to,
        bytes32 depositHash,
        bytes indexed distributorCode
    );
    event SupplyCapInBaseUpdated(uint256 newSupplyCapInBase);

    error SupplyCapInBaseError(uint256 resultingValue, uint256 supplyCapInBase);
    error FeesExceedOrEqualAmount();

    uint256 public supplyCapInBase;

    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        DepositorTerms memory terms
    ) AttestedDepositor(owner_, authority_, teller_, terms) {
        supplyCapInBase = terms.supplyCap;
    }

    function _feeInAsset(DepositCall memory call_) internal view override returns (uint256 fee) {
        fee = _calculateFee(call_, call_.amount);
        if (fee >= call_.amount) revert FeesExceedOrEqualAmount();
    }

    function _deposit(
        DepositCall memory call_,
        uint256 fee
    ) internal override returns (uint256 shares) {
        if (fee > 0) call_.asset.safeTransfer(feeRecipient, fee);
        shares = _mint(call_.asset, call_.amount - fee, call_.minimumMint);
        uint256 value = _supplyInBase();
        if (value > supplyCapInBase) revert SupplyCapInBaseError(value, supplyCapInBase);
        bytes32 depositHash = _passOn(call_.to, shares);
        emit DepositWithDistributorCode(
            msg.sender,
            call_.asset,
            call_.amount,
            fee,
            call_.minimumMint,
            call_.to,
            depositHash,
            call_.distributorCode
        );
    }

    function setSupplyCapInBase(uint256 cap) external requiresAuth {
        supplyCapInBase = cap;
        emit SupplyCapInBaseUpdated(cap);
    }
}
