// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Clones} from "@openzeppelin/contracts/proxy/Clones.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Address} from "@openzeppelin/contracts/utils/Address.sol";
import {Attestation, DepositForm, IAttestedDepositor, IPlainDepositor} from "./Depositors.sol";

/// The terms of a deposit by an account. Amounts are base units.
struct DepositTerms {
    uint256 amount;
    uint256 minimumMint;
    bytes distributorCode;
    Attestation attestation;
}

/**
 * The implementation of every smart deposit address, which is a minimal proxy with immutable arguments.
 * Its funds go into the vault for the destination, to the destination itself, or to the recovery wallet:
 * no function can send them anywhere else.
 */
contract SmartDepositAccount {
    using SafeERC20 for IERC20;

    error OnlyFactory(address caller);
    error TooFewShares(uint256 shares, uint256 minimum);

    /// Stands for the chain's native coin in place of a token.
    address private constant NATIVE = address(0);

    address public immutable factory;
    address public immutable recoveryWallet;

    constructor(address recoveryWallet_) {
        factory = msg.sender;
        recoveryWallet = recoveryWallet_;
    }

    modifier onlyFactory() {
        if (msg.sender != factory) revert OnlyFactory(msg.sender);
        _;
    }

    /// The immutable arguments of this proxy: receiver of the shares, vault, accepted token.
    function terms()
        public
        view
        returns (address destination, address vault, address inputToken)
    {
        return abi.decode(Clones.fetchCloneArgs(address(this)), (address, address, address));
    }

    /// Deposits into the vault; `shares` is the increase of the destination's balance.
    function deposit(
        address depositor,
        DepositForm form,
        DepositTerms calldata wanted
    ) external onlyFactory returns (uint256 shares) {
        (address destination, address vault, address inputToken) = terms();
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

    /// Sends back to the destination.
    function refund(address token, uint256 amount) external onlyFactory {
        (address destination, , ) = terms();
        _send(token, destination, amount);
    }

    /// Sends to the recovery wallet.
    function recover(address token, uint256 amount) external onlyFactory {
        _send(token, recoveryWallet, amount);
    }

    function _send(address token, address to, uint256 amount) private {
        if (token == NATIVE) Address.sendValue(payable(to), amount);
        else IERC20(token).safeTransfer(to, amount);
    }
}
