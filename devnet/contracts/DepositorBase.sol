// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Authorized} from "./Authorized.sol";
import {BoringVault} from "./BoringVault.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {TellerBase} from "./TellerBase.sol";
import {PermittingToken} from "./Tokens.sol";
import {WrappedNative} from "./WrappedNative.sol";

struct DepositCall {
    address asset;
    uint256 amount;
    uint256 minimumMint;
    address to;
    bytes distributorCode;
}

struct PermitSignature {
    uint256 deadline;
    uint8 v;
    bytes32 r;
    bytes32 s;
}

/// Takes users' deposits, lets the teller mint, and passes the shares on.
abstract contract DepositorBase is Authorized {
    using SafeTransfer for address;

    error PermitFailedAndAllowanceTooLow();
    error ZeroAddress();
    error NativeDepositNotSupported();
    error IncorrectNativeDepositAmount(uint256 sent, uint256 expected);

    TellerBase public immutable teller;
    BoringVault public immutable boringVault;
    WrappedNative public immutable nativeWrapper;
    uint256 public depositNonce;

    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        WrappedNative nativeWrapper_
    ) Authorized(owner_, authority_) {
        if (address(teller_) == address(0)) revert ZeroAddress();
        teller = teller_;
        boringVault = teller_.vault();
        nativeWrapper = nativeWrapper_;
    }

    function isNativeDepositSupported() public view returns (bool) {
        return address(nativeWrapper) != address(0);
    }

    /// Somebody else may have used the permit already, so the allowance decides.
    function _permit(address asset, uint256 amount, PermitSignature memory permit) internal {
        PermittingToken token = PermittingToken(asset);
        try
            token.permit(
                msg.sender,
                address(this),
                amount,
                permit.deadline,
                permit.v,
                permit.r,
                permit.s
            )
        {} catch {
            if (token.allowance(msg.sender, address(this)) < amount)
                revert PermitFailedAndAllowanceTooLow();
        }
    }

    function _pull(address asset, uint256 amount) internal {
        asset.safeTransferFrom(msg.sender, address(this), amount);
    }

    function _wrap(uint256 amount) internal {
        if (msg.value != amount) revert IncorrectNativeDepositAmount(msg.value, amount);
        nativeWrapper.deposit{value: amount}();
    }

    function _requireNative() internal view {
        if (!isNativeDepositSupported()) revert NativeDepositNotSupported();
    }

    /// Mints to this contract for all of the asset that it holds.
    function _mint(
        address asset,
        uint256 amount,
        uint256 minimumMint
    ) internal returns (uint256 shares) {
        asset.safeApprove(address(boringVault), amount);
        return teller.deposit(asset, amount, minimumMint);
    }

    function _passOn(address to, uint256 shares) internal returns (bytes32 depositHash) {
        address(boringVault).safeTransfer(to, shares);
        return keccak256(abi.encodePacked(address(this), ++depositNonce, block.chainid));
    }
}
