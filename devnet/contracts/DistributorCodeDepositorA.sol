// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {DepositCall, DepositorBase, PermitSignature} from "./DepositorBase.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {TellerBase} from "./TellerBase.sol";
import {WrappedNative} from "./WrappedNative.sol";

/// Until about 2026-02: no attestation, no fee, no cap.
contract DistributorCodeDepositorA is DepositorBase {
    event DepositWithDistributorCode(
        address indexed depositor,
        address indexed depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes32 depositHash,
        bytes indexed distributorCode
    );

    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        WrappedNative nativeWrapper_
    ) DepositorBase(owner_, authority_, teller_, nativeWrapper_) {}

    function deposit(
        address depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode
    ) external requiresAuth returns (uint256 shares) {
        _pull(depositAsset, depositAmount);
        return
            _deposit(DepositCall(depositAsset, depositAmount, minimumMint, to, distributorCode));
    }

    function depositWithPermit(
        address depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external requiresAuth returns (uint256 shares) {
        _permit(depositAsset, depositAmount, PermitSignature(deadline, v, r, s));
        _pull(depositAsset, depositAmount);
        return
            _deposit(DepositCall(depositAsset, depositAmount, minimumMint, to, distributorCode));
    }

    function depositNative(
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode
    ) external payable requiresAuth returns (uint256 shares) {
        _requireNative();
        _wrap(depositAmount);
        address asset = address(nativeWrapper);
        return _deposit(DepositCall(asset, depositAmount, minimumMint, to, distributorCode));
    }

    function _deposit(DepositCall memory call_) private returns (uint256 shares) {
        shares = _mint(call_.asset, call_.amount, call_.minimumMint);
        bytes32 depositHash = _passOn(call_.to, shares);
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
}
