// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountantBase} from "./AccountantBase.sol";
import {Authorized} from "./Authorized.sol";
import {RolesAuthority} from "./RolesAuthority.sol";

uint256 constant BPS = 10_000;

/// The fee of a deposit or a withdrawal, in units of the offered token, rounded up.
interface IFeeModule {
    function calculateOfferFees(
        uint256 amount,
        address offerAsset,
        address wantAsset,
        address receiver
    ) external view returns (uint256 feeAmount);
}

function ceilDiv(uint256 amount, uint256 divisor) pure returns (uint256) {
    return (amount + divisor - 1) / divisor;
}

/// One rate for all assets.
contract SimpleFeeModule is IFeeModule {
    uint256 public immutable offerFeePercentage;

    constructor(uint256 offerFeePercentage_) {
        offerFeePercentage = offerFeePercentage_;
    }

    function calculateOfferFees(
        uint256 amount,
        address,
        address,
        address
    ) external view returns (uint256) {
        return ceilDiv(amount * offerFeePercentage, BPS);
    }
}

/// A rate and a flat fee for each asset, the flat fee in units of the asset.
abstract contract AssetSpecificFeeModule is IFeeModule, Authorized {
    event FeeDataUpdated(address indexed token, uint256 feePercentage, uint256 flatFee);

    struct FeeData {
        uint256 feePercentage;
        uint256 flatFee;
    }

    mapping(address token => FeeData) internal feeData;

    function setFeeData(
        address token,
        uint256 feePercentage,
        uint256 flatFee
    ) external requiresAuth {
        feeData[token] = FeeData(feePercentage, flatFee);
        emit FeeDataUpdated(token, feePercentage, flatFee);
    }
}

/// For deposits: the fee is in the deposit asset.
contract DepositAssetSpecificFeeModule is AssetSpecificFeeModule {
    constructor(address owner_, RolesAuthority authority_) Authorized(owner_, authority_) {}

    function depositTokenFeeData(address token) external view returns (uint256, uint256) {
        return (feeData[token].feePercentage, feeData[token].flatFee);
    }

    function calculateOfferFees(
        uint256 amount,
        address offerAsset,
        address,
        address
    ) external view returns (uint256) {
        FeeData storage data = feeData[offerAsset];
        return ceilDiv(amount * data.feePercentage, BPS) + data.flatFee;
    }
}

/// For withdrawals: the fee is in shares, the flat part converted at the current rate.
contract WithdrawQueueAssetSpecificFeeModule is AssetSpecificFeeModule {
    error VaultMismatch(address offerAsset, address vault);

    AccountantBase public immutable accountant;
    address public immutable vault;

    constructor(
        address owner_,
        RolesAuthority authority_,
        AccountantBase accountant_
    ) Authorized(owner_, authority_) {
        accountant = accountant_;
        vault = address(accountant_.vault());
    }

    function withdrawTokenFeeData(address token) external view returns (uint256, uint256) {
        return (feeData[token].feePercentage, feeData[token].flatFee);
    }

    function calculateOfferFees(
        uint256 amount,
        address offerAsset,
        address wantAsset,
        address
    ) external view returns (uint256) {
        if (offerAsset != vault) revert VaultMismatch(offerAsset, vault);
        FeeData storage data = feeData[wantAsset];
        uint256 flatShares = ceilDiv(
            data.flatFee * 10 ** accountant.decimals(),
            accountant.getRateInQuoteSafe(wantAsset)
        );
        return ceilDiv(amount * data.feePercentage, BPS) + flatShares;
    }
}
