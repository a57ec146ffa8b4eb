// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {Teller} from "./Teller.sol";
import {TellerA} from "./TellerA.sol";
import {Order, OrderType, QueueTerms, WithdrawQueueBase} from "./WithdrawQueueBase.sol";

/// Until 2026-02-10: orders of five fields, and an event without amounts. An order that cannot be paid
/// is refunded; a refund that fails, or a fee above the amount, reverts the whole batch.
contract WithdrawQueueA is WithdrawQueueBase {
    using SafeTransfer for address;

    struct OrderOfFive {
        uint256 amountOffer;
        address wantAsset;
        address refundReceiver;
        OrderType orderType;
        bool didOrderFailTransfer;
    }

    event OrderSubmitted(
        uint256 indexed orderIndex,
        OrderOfFive order,
        address indexed receiver,
        address indexed depositor,
        bool isSubmittedViaSignature
    );
    event OrderProcessed(
        uint256 indexed orderIndex,
        OrderOfFive order,
        address indexed receiver,
        bool indexed isForceProcessed
    );
    event OrderRefunded(uint256 indexed orderIndex, OrderOfFive order);

    constructor(
        string memory name_,
        string memory symbol_,
        address owner_,
        RolesAuthority authority_,
        QueueTerms memory terms
    ) WithdrawQueueBase(name_, symbol_, owner_, authority_, terms) {}

    function orderAtQueueIndex(uint256 orderIndex) external view returns (OrderOfFive memory) {
        return _five(orders[orderIndex]);
    }

    /// Its tellers may be of either generation.
    function _canWithdraw(address asset) internal view override returns (bool) {
        address teller = address(tellerWithMultiAssetSupport);
        try Teller(teller).isWithdrawSupported(asset) returns (bool isSupported) {
            return isSupported;
        } catch {
            return TellerA(teller).isSupported(asset);
        }
    }

    function _isRefundedForFee(
        uint256,
        Order memory,
        uint256
    ) internal pure override returns (bool) {
        return false;
    }

    function _refund(uint256 orderIndex, Order memory order) internal override {
        address(offerAsset).safeTransfer(order.refundReceiver, order.amountOffer);
        emit OrderRefunded(orderIndex, _five(order));
    }

    function _saySubmitted(
        uint256 orderIndex,
        Order memory order,
        address receiver,
        address depositor,
        bool isSubmittedViaSignature
    ) internal override {
        OrderOfFive memory five = _five(order);
        emit OrderSubmitted(orderIndex, five, receiver, depositor, isSubmittedViaSignature);
    }

    function _sayProcessed(
        uint256 orderIndex,
        Order memory order,
        address receiver,
        uint256,
        uint256
    ) internal override {
        bool isForced = order.orderType == OrderType.PRE_FILLED;
        emit OrderProcessed(orderIndex, _five(order), receiver, isForced);
    }

    function _five(Order memory order) private pure returns (OrderOfFive memory) {
        return
            OrderOfFive(
                order.amountOffer,
                order.wantAsset,
                order.refundReceiver,
                order.orderType,
                order.didOrderFailTransfer
            );
    }
}
