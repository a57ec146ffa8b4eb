// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {DepositForm, IAttestedDepositor, IPlainDepositor} from "./Depositors.sol";
import {DepositTerms} from "./SmartDepositAccount.sol";
import {ITransitStation, TransitQuote} from "./Transit.sol";

/// The values that are fixed when a factory is created. Every address of the factory depends on them.
struct Promises {
    address recoveryWallet;
    ITransitStation station;
    /// Seconds between the destination's request and its withdrawal.
    uint256 withdrawalDelay;
    /// The most of a Transit order that may be a fee.
    uint256 maxTransitFeeBps;
}

/**
 * The implementation of every smart deposit address of a `SmartDepositFactoryB`: a minimal proxy with
 * immutable arguments, at the same address on every chain. Its funds go into the vault for the destination,
 * to the destination, to the recovery wallet, or into a Transit order that pays this same address in the
 * accepted token on the vault's chain. No function can send them anywhere else.
 */
contract SmartDepositAccountB {
    using SafeERC20 for IERC20;

    error OnlyFactory(address caller);
    error OtherChain(uint256 chainId);
    error TooFewShares(uint256 shares, uint256 minimum);
    error OtherReceiver(address receiver);
    error OtherRoute(uint32 destEID, address offerAsset, address wantAsset);
    error FeeTooHigh(uint256 fee, uint256 maximum);

    /// Stands for the chain's native coin in place of a token.
    address private constant NATIVE = address(0);
    uint256 private constant BPS = 10_000;

    address public immutable factory;
    address public immutable recoveryWallet;
    ITransitStation public immutable station;
    uint256 public immutable maxTransitFeeBps;

    constructor(Promises memory promises) {
        factory = msg.sender;
        recoveryWallet = promises.recoveryWallet;
        station = promises.station;
        maxTransitFeeBps = promises.maxTransitFeeBps;
    }

    modifier onlyFactory() {
        if (msg.sender != factory) revert OnlyFactory(msg.sender);
        _;
    }

    /// Takes coins from everybody, because the Transit endpoint returns an excess, and users send coins by mistake.
    receive() external payable {}

    /// The immutable arguments of this proxy. The vault and its accepted token are on the chain `chainId`.
    function terms()
        public
        view
        returns (address destination, address vault, address inputToken, uint256 chainId)
    {
        bytes memory args = Clones.fetchCloneArgs(address(this));
        return abi.decode(args, (address, address, address, uint256));
    }

    /// Deposits into the vault, on the vault's chain only. `shares` is the increase of the destination's balance.
    function deposit(
        address depositor,
        DepositForm form,
        DepositTerms calldata wanted
    ) external onlyFactory returns (uint256 shares) {
        (address destination, address vault, address inputToken, uint256 chainId) = terms();
        if (block.chainid != chainId) revert OtherChain(chainId);
        uint256 sharesBefore = IERC20(vault).balanceOf(destination);
        IERC20(inputToken).forceApprove(depositor, wanted.amount);
        if (form == DepositForm.ATTESTED)
            IAttestedDepositor(depositor).deposit(
                inputToken,
                wanted.amount,
                wanted.minimumMint,
                destination,
                wanted.distributorCode,
                wanted.attestation
            );
        else
            IPlainDepositor(depositor).deposit(
                inputToken,
                wanted.amount,
                wanted.minimumMint,
                destination,
                wanted.distributorCode
            );
        IERC20(inputToken).forceApprove(depositor, 0);
        shares = IERC20(vault).balanceOf(destination) - sharesBefore;
        // Checked here, because a faulty depositor could report shares that it did not mint.
        if (shares == 0 || shares < wanted.minimumMint)
            revert TooFewShares(shares, wanted.minimumMint);
    }

    /**
     * Submits a Transit order that pays this address in its accepted token on the vault's chain.
     * @param homeEID The endpoint id of the vault's chain.
     */
    function convert(
        uint32 homeEID,
        TransitQuote calldata quote,
        bytes calldata signature
    ) external payable onlyFactory returns (bytes32 orderId) {
        _checkQuote(homeEID, quote);
        uint256 coinsBefore = address(this).balance - msg.value;
        IERC20(quote.route.offerAsset).forceApprove(address(station), quote.offerAmount);
        orderId = station.submitOrder{value: msg.value}(quote, signature);
        // An allowance that the station did not use would stay for good.
        IERC20(quote.route.offerAsset).forceApprove(address(station), 0);
        uint256 excess = address(this).balance - coinsBefore;
        if (excess > 0) Address.sendValue(payable(factory), excess);
    }

    /// Sends to the destination.
    function refund(address token, uint256 amount) external onlyFactory {
        (address destination, , , ) = terms();
        _send(token, destination, amount);
    }

    /// Sends to the recovery wallet.
    function recover(address token, uint256 amount) external onlyFactory {
        _send(token, recoveryWallet, amount);
    }

    /// The signature alone does not bind a quote to this address: anybody may have had it signed.
    function _checkQuote(uint32 homeEID, TransitQuote calldata quote) private view {
        (, , address inputToken, uint256 chainId) = terms();
        (uint32 destEID, address offerAsset, address wantAsset) = (
            quote.route.destEID,
            quote.route.offerAsset,
            quote.route.wantAsset
        );
        // The input token on its own chain needs no order. An order would only cost a fee, again and again.
        bool isHome = block.chainid == chainId && offerAsset == inputToken;
        if (destEID != homeEID || wantAsset != inputToken || isHome)
            revert OtherRoute(destEID, offerAsset, wantAsset);
        if (quote.receiver != address(this)) revert OtherReceiver(quote.receiver);
        if (quote.integratorFee > 0) revert FeeTooHigh(quote.integratorFee, 0);
        uint256 most = (quote.offerAmount * maxTransitFeeBps) / BPS;
        if (quote.protocolFee > most) revert FeeTooHigh(quote.protocolFee, most);
    }

    function _send(address token, address to, uint256 amount) private {
        if (token == NATIVE) Address.sendValue(payable(to), amount);
        else IERC20(token).safeTransfer(to, amount);
    }
}
