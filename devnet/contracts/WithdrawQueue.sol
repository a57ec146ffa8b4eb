// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {Teller} from "./Teller.sol";
import {Order, OrderType, QueueTerms, WithdrawQueueBase} from "./WithdrawQueueBase.sol";

/// Since 2026-03: an order that cannot be paid is refunded; shares that cannot be refunded go to
/// recovery.
contract WithdrawQueue is WithdrawQueueBase {
    using SafeTransfer for address;

    event OrderSubmitted(
        uint256 indexed orderIndex,
        Order order,
        address indexed receiver,
        address indexed depositor,
        bool isSubmittedViaSignature
    );
    event OrderProcessed(
        uint256 indexed orderIndex,
        Order order,
        address indexed receiver,
        bool indexed isForceProcessed,
        uint256 feeAmount,
        uint256 assetsOut
    );
    event OrderRefunded(uint256 indexed orderIndex, Order order);
    event OrderRefundFailed(
        uint256 indexed orderIndex,
        address indexed refundReceiver,
        address indexed recoveryAddress
    );
    event FeesExceededOrderAmount(
        uint256 indexed orderIndex,
        uint256 amountOffer,
        uint256 feeAmount
    );
    event RecoveryAddressUpdated(
        address indexed oldRecoveryAddress,
        address indexed newRecoveryAddress
    );

    address public recoveryAddress;

    constructor(
        string memory name_,
        string memory symbol_,
        address owner_,
        RolesAuthority authority_,
        QueueTerms memory terms,
        address recoveryAddress_
    ) WithdrawQueueBase(name_, symbol_, owner_, authority_, terms) {
        if (recoveryAddress_ == address(0)) revert ZeroAddress();
        recoveryAddress = recoveryAddress_;
    }

    function orderAtQueueIndex(uint256 orderIndex) external view returns (Order memory) {
        return orders[orderIndex];
    }

    function setRecoveryAddress(address recovery) external requiresAuth {
        if (recovery == address(0)) revert ZeroAddress();
        emit RecoveryAddressUpdated(recoveryAddress, recovery);
        recoveryAddress = recovery;
    }

    function _canWithdraw(address asset) internal view override returns (bool) {
        return Teller(address(tellerWithMultiAssetSupport)).isWithdrawSupported(asset);
    }

    /// The event has the order before the refund; the stored order is marked as refunded.
    function _isRefundedForFee(
        uint256 orderIndex,
        Order memory order,
        uint256 fee
    ) internal override returns (bool) {
        if (fee < order.amountOffer) return false;
        _burn(orderIndex);
        orders[orderIndex].orderType = OrderType.REFUND;
        _refund(orderIndex, order);
        emit FeesExceededOrderAmount(orderIndex, order.amountOffer, fee);
        return true;
    }

    function _refund(uint256 orderIndex, Order memory order) internal override {
        if (address(offerAsset).tryTransfer(order.refundReceiver, order.amountOffer)) {
            emit OrderRefunded(orderIndex, order);
            return;
        }
        order.didOrderFailRefund = true;
        orders[orderIndex].didOrderFailRefund = true;
        address(offerAsset).safeTransfer(recoveryAddress, order.amountOffer);
        emit OrderRefundFailed(orderIndex, order.refundReceiver, recoveryAddress);
    }

    function _saySubmitted(
        uint256 orderIndex,
        Order memory order,
        address receiver,
        address depositor,
        bool isSubmittedViaSignature
    ) internal override {
        emit OrderSubmitted(orderIndex, order, receiver, depositor, isSubmittedViaSignature);
    }

    function _sayProcessed(
        uint256 orderIndex,
        Order memory order,
        address receiver,
        uint256 fee,
        uint256 assetsOut
    ) internal override {
        bool isForced = order.orderType == OrderType.PRE_FILLED;
        emit OrderProcessed(orderIndex, order, receiver, isForced, fee, assetsOut);
    }
}
