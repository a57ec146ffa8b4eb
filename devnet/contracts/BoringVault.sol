// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IBeforeTransferHook} from "./FreezeHook.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {PermittingToken, TokenBase} from "./Tokens.sol";
import {TransitVault} from "./TransitVault.sol";

/// Holds a vault's assets and is the ERC-20 of its shares, which its teller mints and burns.
contract BoringVault is TransitVault, PermittingToken {
    using SafeTransfer for address;

    event Enter(
        address indexed from,
        address indexed asset,
        uint256 amount,
        address indexed to,
        uint256 shares
    );
    event Exit(
        address indexed to,
        address indexed asset,
        uint256 amount,
        address indexed from,
        uint256 shares
    );
    event NameAndSymbolUpdated(string indexed name, string indexed symbol);

    IBeforeTransferHook public hook;
    /// Keeps the first name, as the deployed vaults do after they are renamed.
    bytes32 private immutable originalDomain;

    constructor(
        address owner_,
        RolesAuthority authority_,
        string memory name_,
        string memory symbol_,
        uint8 decimals_
    ) TransitVault(owner_, authority_) TokenBase(name_, symbol_, decimals_) {
        originalDomain = _domainSeparator("1");
    }

    function DOMAIN_SEPARATOR() public view override returns (bytes32) {
        return originalDomain;
    }

    function enter(
        address from,
        address asset,
        uint256 assetAmount,
        address to,
        uint256 shareAmount
    ) external requiresAuth {
        if (assetAmount > 0) asset.safeTransferFrom(from, address(this), assetAmount);
        _mint(to, shareAmount);
        emit Enter(from, asset, assetAmount, to, shareAmount);
    }

    function exit(
        address to,
        address asset,
        uint256 assetAmount,
        address from,
        uint256 shareAmount
    ) external requiresAuth {
        _burn(from, shareAmount);
        if (assetAmount > 0) asset.safeTransfer(to, assetAmount);
        emit Exit(to, asset, assetAmount, from, shareAmount);
    }

    function transfer(address to, uint256 amount) external override returns (bool) {
        _askHook(msg.sender, to);
        _transfer(msg.sender, to, amount);
        return true;
    }

    function transferFrom(
        address from,
        address to,
        uint256 amount
    ) external override returns (bool) {
        _askHook(from, to);
        _spend(from, amount);
        _transfer(from, to, amount);
        return true;
    }

    function _askHook(address from, address to) private view {
        if (address(hook) != address(0)) hook.beforeTransfer(from, to, msg.sender);
    }

    function setBeforeTransferHook(IBeforeTransferHook hook_) external requiresAuth {
        hook = hook_;
    }

    function setNameAndSymbol(
        string calldata name_,
        string calldata symbol_
    ) external requiresAuth {
        name = name_;
        symbol = symbol_;
        emit NameAndSymbolUpdated(name_, symbol_);
    }
}
