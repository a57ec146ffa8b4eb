// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Attestation, AttestationRegistry, Statement} from "./AttestationRegistry.sol";
import {DepositCall, DepositorBase, PermitSignature} from "./DepositorBase.sol";
import {IFeeModule} from "./FeeModules.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {TellerBase} from "./TellerBase.sol";
import {WrappedNative} from "./WrappedNative.sol";

struct DepositorTerms {
    WrappedNative nativeWrapper;
    IFeeModule feeModule;
    address feeRecipient;
    uint256 supplyCapInBase;
    AttestationRegistry registry;
    string policyID;
}

/// Has a fee in the deposit asset, a cap in the base, and attestations for assets that require them.
contract DistributorCodeDepositor is DepositorBase {
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
    event FeeModuleUpdated(address indexed newFeeModule);
    event FeeRecipientUpdated(address indexed newFeeRecipient);
    event KytStatusUpdated(address indexed depositAsset, bool indexed enabled);
    event PredicateRegistryUpdated(address indexed oldRegistry, address indexed newRegistry);
    event PredicatePolicyIDUpdated(string oldPolicyID, string newPolicyID);

    error SupplyCapInBaseError(uint256 resultingValue, uint256 supplyCapInBase);
    error FeesExceedOrEqualAmount();
    error UnauthorizedTransaction();

    IFeeModule public feeModule;
    address public feeRecipient;
    uint256 public supplyCapInBase;
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
        supplyCapInBase = terms.supplyCapInBase;
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

    /// Checks the attestation if one is required, then takes the fee.
    function _check(
        DepositCall memory call_,
        Attestation calldata attestation
    ) private returns (uint256 fee) {
        if (kytEnabled[call_.asset] && !_isAttested(call_, attestation))
            revert UnauthorizedTransaction();
        if (address(feeModule) != address(0))
            fee = feeModule.calculateOfferFees(
                call_.amount,
                call_.asset,
                address(boringVault),
                call_.to
            );
        if (fee >= call_.amount) revert FeesExceedOrEqualAmount();
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

    function _deposit(DepositCall memory call_, uint256 fee) private returns (uint256 shares) {
        if (fee > 0) call_.asset.safeTransfer(feeRecipient, fee);
        shares = _mint(call_.asset, call_.amount - fee, call_.minimumMint);
        uint256 value = (boringVault.totalSupply() * teller.accountant().getRate()) /
            10 ** boringVault.decimals();
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

    function setSupplyCapInBase(uint256 cap) external requiresAuth {
        supplyCapInBase = cap;
        emit SupplyCapInBaseUpdated(cap);
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
