// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountantBase} from "./AccountantBase.sol";
import {Authorized} from "./Authorized.sol";
import {BoringVault} from "./BoringVault.sol";
import {RolesAuthority} from "./RolesAuthority.sol";

/// Mints and burns a vault's shares for assets, at its accountant's rate.
abstract contract TellerBase is Authorized {
    event Deposit(
        uint256 indexed nonce,
        address indexed receiver,
        address indexed depositAsset,
        uint256 depositAmount,
        uint256 shareAmount,
        uint256 depositTimestamp,
        uint256 shareLockPeriodAtTimeOfDeposit
    );
    event BulkWithdraw(address indexed asset, uint256 shareAmount);
    event Paused();
    event Unpaused();

    error TellerWithMultiAssetSupport__AssetNotSupported();
    error TellerWithMultiAssetSupport__ZeroAssets();
    error TellerWithMultiAssetSupport__MinimumMintNotMet();
    error TellerWithMultiAssetSupport__MinimumAssetsNotMet();
    error TellerWithMultiAssetSupport__ZeroShares();
    error TellerWithMultiAssetSupport__Paused();

    BoringVault public immutable vault;
    AccountantBase public immutable accountant;
    uint256 private immutable oneShare;
    bool public isPaused;
    uint64 public shareLockPeriod;
    uint256 public depositNonce;
    mapping(address account => uint256) public shareUnlockTime;

    constructor(
        address owner_,
        RolesAuthority authority_,
        AccountantBase accountant_
    ) Authorized(owner_, authority_) {
        accountant = accountant_;
        vault = accountant_.vault();
        oneShare = 10 ** vault.decimals();
    }

    modifier whenNotPaused() {
        if (isPaused) revert TellerWithMultiAssetSupport__Paused();
        _;
    }

    function _canDeposit(address asset) internal view virtual returns (bool);

    function _canWithdraw(address asset) internal view virtual returns (bool);

    function deposit(
        address depositAsset,
        uint256 depositAmount,
        uint256 minimumMint
    ) external requiresAuth whenNotPaused returns (uint256 shares) {
        if (!_canDeposit(depositAsset)) revert TellerWithMultiAssetSupport__AssetNotSupported();
        if (depositAmount == 0) revert TellerWithMultiAssetSupport__ZeroAssets();
        shares = (depositAmount * oneShare) / accountant.getRateInQuoteSafe(depositAsset);
        if (shares < minimumMint) revert TellerWithMultiAssetSupport__MinimumMintNotMet();
        vault.enter(msg.sender, depositAsset, depositAmount, msg.sender, shares);
        if (shareLockPeriod > 0) shareUnlockTime[msg.sender] = block.timestamp + shareLockPeriod;
        emit Deposit(
            ++depositNonce,
            msg.sender,
            depositAsset,
            depositAmount,
            shares,
            block.timestamp,
            shareLockPeriod
        );
    }

    function bulkWithdraw(
        address withdrawAsset,
        uint256 shareAmount,
        uint256 minimumAssets,
        address to
    ) external requiresAuth whenNotPaused returns (uint256 assetsOut) {
        if (!_canWithdraw(withdrawAsset)) revert TellerWithMultiAssetSupport__AssetNotSupported();
        if (shareAmount == 0) revert TellerWithMultiAssetSupport__ZeroShares();
        assetsOut = (shareAmount * accountant.getRateInQuoteSafe(withdrawAsset)) / oneShare;
        if (assetsOut < minimumAssets) revert TellerWithMultiAssetSupport__MinimumAssetsNotMet();
        if (address(vault.hook()) != address(0))
            vault.hook().beforeTransfer(msg.sender, to, msg.sender);
        vault.exit(to, withdrawAsset, assetsOut, msg.sender, shareAmount);
        emit BulkWithdraw(withdrawAsset, shareAmount);
    }

    function setShareLockPeriod(uint64 period) external requiresAuth {
        shareLockPeriod = period;
    }

    function pause() external requiresAuth {
        isPaused = true;
        emit Paused();
    }

    function unpause() external requiresAuth {
        isPaused = false;
        emit Unpaused();
    }
}
