// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Attestation, AttestationRegistry, Statement} from "./AttestationRegistry.sol";
import {DepositCall, DepositorBase, PermitSignature} from "./DepositorBase.sol";
import {IFeeModule} from "./FeeModules.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {TellerBase} from "./TellerBase.sol";
import {WrappedNative} from "./WrappedNative.sol";

struct DepositorTerms {
    WrappedNative nativeWrapper;
    IFeeModule feeModule;
    address feeRecipient;
    /// In the unit of the depositor.
    uint256 supplyCap;
    AttestationRegistry registry;
    string policyID;
}

/// Requires attestations for some assets, and has a fee module. The generations that extend it take the fee and have a cap.
abstract contract AttestedDepositor is DepositorBase {
    event FeeModuleUpdated(address indexed newFeeModule);
    event FeeRecipientUpdated(address indexed newFeeRecipient);
    event KytStatusUpdated(address indexed depositAsset, bool indexed enabled);
    event PredicateRegistryUpdated(address indexed oldRegistry, address indexed newRegistry);
    event PredicatePolicyIDUpdated(string oldPolicyID, string newPolicyID);

    error UnauthorizedTransaction();

    IFeeModule public feeModule;
    address public feeRecipient;
    mapping(address asset => bool) public kytEnabled;
    AttestationRegistry private registry;
    string private policyID;

    constructor(
        address owner_,
        RolesAuthority authority_,
        TellerBase teller_,
        DepositorTerms memory terms
    ) DepositorBase(owner_, authority_, teller_, terms.nativeWrapper) {
        if (terms.feeRecipient == address(0)) revert ZeroAddress();
        feeModule = terms.feeModule;
        feeRecipient = terms.feeRecipient;
        registry = terms.registry;
        _setPolicyID(terms.policyID);
    }

    function deposit(
        address depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode,
        Attestation calldata _attestation
    ) external requiresAuth returns (uint256 shares) {
        DepositCall memory call_ = DepositCall(
            depositAsset,
            depositAmount,
            minimumMint,
            to,
            distributorCode
        );
        return _depositToken(call_, _attestation);
    }

    function depositWithPermit(
        address depositAsset,
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode,
        Attestation calldata _attestation,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external requiresAuth returns (uint256 shares) {
        DepositCall memory call_ = DepositCall(
            depositAsset,
            depositAmount,
            minimumMint,
            to,
            distributorCode
        );
        _permit(depositAsset, depositAmount, PermitSignature(deadline, v, r, s));
        return _depositToken(call_, _attestation);
    }

    function depositNative(
        uint256 depositAmount,
        uint256 minimumMint,
        address to,
        bytes calldata distributorCode,
        Attestation calldata _attestation
    ) external payable requiresAuth returns (uint256 shares) {
        _requireNative();
        address asset = address(nativeWrapper);
        DepositCall memory call_ = DepositCall(
            asset,
            depositAmount,
            minimumMint,
            to,
            distributorCode
        );
        uint256 fee = _check(call_, _attestation);
        _wrap(depositAmount);
        return _deposit(call_, fee);
    }

    function _depositToken(
        DepositCall memory call_,
        Attestation calldata attestation
    ) private returns (uint256 shares) {
        uint256 fee = _check(call_, attestation);
        _pull(call_.asset, call_.amount);
        return _deposit(call_, fee);
    }

    function _check(
        DepositCall memory call_,
        Attestation calldata attestation
    ) private returns (uint256 fee) {
        if (kytEnabled[call_.asset] && !_isAttested(call_, attestation))
            revert UnauthorizedTransaction();
        return _feeInAsset(call_);
    }

    function _feeInAsset(DepositCall memory call_) internal view virtual returns (uint256);

    /// Takes this fee, which the contract holds with the rest of the amount, and passes on the shares.
    function _deposit(
        DepositCall memory call_,
        uint256 fee
    ) internal virtual returns (uint256 shares);

    function _calculateFee(
        DepositCall memory call_,
        uint256 amount
    ) internal view returns (uint256) {
        if (address(feeModule) == address(0)) return 0;
        return
            feeModule.calculateOfferFees(amount, call_.asset, address(boringVault), call_.to);
    }

    /// Base units of the base.
    function _supplyInBase() internal view returns (uint256) {
        return
            (boringVault.totalSupply() * teller.accountant().getRate()) /
            10 ** boringVault.decimals();
    }

    /// A statement always describes the older five-argument deposit, whichever function was called.
    function _isAttested(
        DepositCall memory call_,
        Attestation calldata attestation
    ) private returns (bool) {
        Statement memory statement = Statement(
            attestation.uuid,
            msg.sender,
            address(this),
            msg.value,
            abi.encodeWithSignature(
                "deposit(address,uint256,uint256,address,bytes)",
                call_.asset,
                call_.amount,
                call_.minimumMint,
                call_.to,
                call_.distributorCode
            ),
            policyID,
            attestation.expiration
        );
        return registry.validateAttestation(statement, attestation);
    }

    function getRegistry() external view returns (address) {
        return address(registry);
    }

    function getPolicyID() external view returns (string memory) {
        return policyID;
    }

    function setFeeModule(IFeeModule module) external requiresAuth {
        feeModule = module;
        emit FeeModuleUpdated(address(module));
    }

    function setFeeRecipient(address recipient) external requiresAuth {
        if (recipient == address(0)) revert ZeroAddress();
        feeRecipient = recipient;
        emit FeeRecipientUpdated(recipient);
    }

    function setKytStatus(address asset, bool enabled) external requiresAuth {
        kytEnabled[asset] = enabled;
        emit KytStatusUpdated(asset, enabled);
    }

    function setRegistry(AttestationRegistry registry_) external requiresAuth {
        emit PredicateRegistryUpdated(address(registry), address(registry_));
        registry = registry_;
    }

    function setPolicyID(string calldata policyID_) external requiresAuth {
        _setPolicyID(policyID_);
    }

    function _setPolicyID(string memory policyID_) private {
        emit PredicatePolicyIDUpdated(policyID, policyID_);
        policyID = policyID_;
        registry.setPolicyID(policyID_);
    }
}
