// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccountantBase} from "./AccountantBase.sol";
import {Authorized} from "./Authorized.sol";
import {BoringVault} from "./BoringVault.sol";
import {IFeeModule} from "./FeeModules.sol";
import {Receipts} from "./Receipts.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";
import {TellerBase} from "./TellerBase.sol";
import {PermittingToken, TokenBase} from "./Tokens.sol";

enum ApprovalMethod {
    ERC20_APPROVE,
    EIP2612_PERMIT
}

enum OrderType {
    DEFAULT,
    PRE_FILLED,
    REFUND
}

enum OrderStatus {
    NOT_FOUND,
    PENDING,
    COMPLETE,
    COMPLETE_PRE_FILLED,
    PENDING_REFUND,
    COMPLETE_REFUNDED,
    FAILED_TRANSFER_REFUNDED,
    FAILED_REFUND
}

struct SignatureParams {
    ApprovalMethod approvalMethod;
    uint8 approvalV;
    bytes32 approvalR;
    bytes32 approvalS;
    bool submitWithSignature;
    uint256 deadline;
    bytes eip2612Signature;
}

struct SubmitOrderParams {
    uint256 amountOffer;
    address wantAsset;
    address intendedDepositor;
    address receiver;
    address refundReceiver;
    SignatureParams signatureParams;
}

struct Order {
    uint256 amountOffer;
    address wantAsset;
    address refundReceiver;
    OrderType orderType;
    bool didOrderFailTransfer;
    bool didOrderFailRefund;
}

struct QueueTerms {
    TellerBase teller;
    IFeeModule feeModule;
    address feeRecipient;
    uint256 minimumOrderSize;
}

/// Withdrawals, first in, first out. The holder of an order's receipt is paid, and may cancel.
/// Generations differ in the fields and events of an order, and in how they handle one that cannot be
/// paid.
abstract contract WithdrawQueueBase is Authorized, Receipts {
    using SafeTransfer for address;

    event OrderMarkedForRefund(uint256 indexed orderIndex, bool indexed isMarkedByUser);
    event OrdersProcessedInRange(uint256 indexed startIndex, uint256 indexed endIndex);
    event MinimumOrderSizeUpdated(uint256 oldMinimum, uint256 newMinimum);
    event FeeModuleUpdated(address indexed oldFeeModule, address indexed newFeeModule);
    event FeeRecipientUpdated(address indexed oldFeeRecipient, address indexed newFeeRecipient);
    event TellerUpdated(address indexed oldTeller, address indexed newTeller);

    error ZeroAddress();
    error AmountBelowMinimum(uint256 amount, uint256 minimum);
    error AssetNotSupported(address asset);
    error InvalidDepositor(address intendedDepositor, address depositor);
    error SignatureExpired(uint256 deadline, uint256 currentTimestamp);
    error PermitFailedAndAllowanceTooLow();
    error OnlyOrderOwnerCanCancel(address attemptedToCancel, address orderOwner);
    error OrderAlreadyProcessed(uint256 orderIndex);
    error InvalidOrderType(uint256 orderIndex, OrderType currentStatus);
    error InvalidOrderIndex(uint256 orderIndex);
    error NotEnoughOrdersToProcess(uint256 ordersToProcess, uint256 latestOrder);
    error VaultInsufficientBalance(
        address wantAsset,
        uint256 expectedAssetsOut,
        uint256 vaultBalanceOfWantAsset
    );
    error InvalidAssetsOut();
    error TellerIsPaused();
    error QueueMustBeEmpty();

    bytes32 private constant CANCEL_TYPEHASH =
        keccak256("Cancel(uint256 orderIndex,uint256 deadline,address queueAddress,uint256 chainId)");

    BoringVault public immutable offerAsset;
    uint256 private immutable oneShare;
    TellerBase public tellerWithMultiAssetSupport;
    IFeeModule public feeModule;
    address public feeRecipient;
    uint256 public minimumOrderSize;
    uint256 public latestOrder;
    uint256 public lastProcessedOrder;
    mapping(address account => uint256) public nonces;
    mapping(uint256 orderIndex => Order) internal orders;

    constructor(
        string memory name_,
        string memory symbol_,
        address owner_,
        RolesAuthority authority_,
        QueueTerms memory terms
    ) Authorized(owner_, authority_) Receipts(name_, symbol_) {
        tellerWithMultiAssetSupport = terms.teller;
        offerAsset = terms.teller.vault();
        oneShare = 10 ** offerAsset.decimals();
        feeModule = terms.feeModule;
        feeRecipient = terms.feeRecipient;
        minimumOrderSize = terms.minimumOrderSize;
    }

    function _canWithdraw(address asset) internal view virtual returns (bool);

    function _saySubmitted(
        uint256 orderIndex,
        Order memory order,
        address receiver,
        address depositor,
        bool isSubmittedViaSignature
    ) internal virtual;

    function _sayProcessed(
        uint256 orderIndex,
        Order memory order,
        address receiver,
        uint256 fee,
        uint256 assetsOut
    ) internal virtual;

    /// Whether an order was refunded because its amount does not cover its fee.
    function _isRefundedForFee(
        uint256 orderIndex,
        Order memory order,
        uint256 fee
    ) internal virtual returns (bool);

    /// Returns the shares of an order whose receipt is burnt.
    function _refund(uint256 orderIndex, Order memory order) internal virtual;

    function submitOrder(
        SubmitOrderParams calldata params
    ) external requiresAuth returns (uint256 orderIndex) {
        return _submit(params);
    }

    function submitOrderAndProcess(
        SubmitOrderParams calldata params,
        uint256 ordersToProcess
    ) external requiresAuth returns (uint256 orderIndex) {
        orderIndex = _submit(params);
        _process(ordersToProcess);
    }

    function submitOrderAndProcessAll(
        SubmitOrderParams calldata params
    ) external requiresAuth returns (uint256 orderIndex) {
        orderIndex = _submit(params);
        _process(latestOrder - lastProcessedOrder);
    }

    function _submit(SubmitOrderParams calldata params) private returns (uint256 orderIndex) {
        if (params.amountOffer < minimumOrderSize)
            revert AmountBelowMinimum(params.amountOffer, minimumOrderSize);
        if (params.receiver == address(0) || params.refundReceiver == address(0))
            revert ZeroAddress();
        if (!_canWithdraw(params.wantAsset)) revert AssetNotSupported(params.wantAsset);
        address depositor = _depositor(params);
        if (params.signatureParams.approvalMethod == ApprovalMethod.EIP2612_PERMIT)
            _permit(depositor, params.amountOffer, params.signatureParams);
        orderIndex = ++latestOrder;
        Order memory order = Order(
            params.amountOffer,
            params.wantAsset,
            params.refundReceiver,
            OrderType.DEFAULT,
            false,
            false
        );
        orders[orderIndex] = order;
        address(offerAsset).safeTransferFrom(depositor, address(this), params.amountOffer);
        _safeMint(params.receiver, orderIndex);
        _saySubmitted(
            orderIndex,
            order,
            params.receiver,
            depositor,
            params.signatureParams.submitWithSignature
        );
    }

    /// The account that pays the shares: the sender, or the signer if somebody else sends the order.
    function _depositor(SubmitOrderParams calldata params) private returns (address depositor) {
        SignatureParams calldata signed = params.signatureParams;
        if (signed.submitWithSignature) {
            if (block.timestamp > signed.deadline)
                revert SignatureExpired(signed.deadline, block.timestamp);
            bytes32 digest = keccak256(
                abi.encode(
                    params.amountOffer,
                    params.wantAsset,
                    params.receiver,
                    params.refundReceiver,
                    signed.deadline,
                    signed.approvalMethod,
                    nonces[params.intendedDepositor]++,
                    address(this),
                    block.chainid
                )
            );
            depositor = _recover(digest, signed.eip2612Signature);
        } else depositor = msg.sender;
        if (depositor == address(0) || depositor != params.intendedDepositor)
            revert InvalidDepositor(params.intendedDepositor, depositor);
    }

    function _permit(address depositor, uint256 amount, SignatureParams calldata signed) private {
        try
            PermittingToken(offerAsset).permit(
                depositor,
                address(this),
                amount,
                signed.deadline,
                signed.approvalV,
                signed.approvalR,
                signed.approvalS
            )
        {} catch {
            if (offerAsset.allowance(depositor, address(this)) < amount)
                revert PermitFailedAndAllowanceTooLow();
        }
    }

    function cancelOrder(uint256 orderIndex) external requiresAuth {
        _cancel(orderIndex, msg.sender);
    }

    function cancelOrderWithSignature(
        uint256 orderIndex,
        uint256 deadline,
        bytes calldata cancelSignature
    ) external requiresAuth {
        if (block.timestamp > deadline) revert SignatureExpired(deadline, block.timestamp);
        bytes32 digest = keccak256(
            abi.encode(CANCEL_TYPEHASH, orderIndex, deadline, address(this), block.chainid)
        );
        _cancel(orderIndex, _recover(digest, cancelSignature));
    }

    function _cancel(uint256 orderIndex, address canceller) private {
        address holder = ownerOf(orderIndex);
        if (canceller != holder) revert OnlyOrderOwnerCanCancel(canceller, holder);
        _mark(orderIndex, true);
    }

    function refundOrder(uint256 orderIndex) external requiresAuth {
        _markPending(orderIndex);
    }

    function refundOrders(uint256[] calldata orderIndices) external requiresAuth {
        for (uint256 i; i < orderIndices.length; ++i) _markPending(orderIndices[i]);
    }

    function _markPending(uint256 orderIndex) private {
        _requirePending(orderIndex);
        _mark(orderIndex, false);
    }

    function _mark(uint256 orderIndex, bool isMarkedByUser) private {
        Order storage order = orders[orderIndex];
        if (order.orderType != OrderType.DEFAULT)
            revert InvalidOrderType(orderIndex, order.orderType);
        order.orderType = OrderType.REFUND;
        emit OrderMarkedForRefund(orderIndex, isMarkedByUser);
    }

    function _requirePending(uint256 orderIndex) private view {
        if (orderIndex == 0 || orderIndex > latestOrder) revert InvalidOrderIndex(orderIndex);
        if (orderIndex <= lastProcessedOrder) revert OrderAlreadyProcessed(orderIndex);
    }

    function processOrders(uint256 ordersToProcess) external requiresAuth {
        _process(ordersToProcess);
    }

    function _process(uint256 count) private {
        uint256 start = lastProcessedOrder + 1;
        uint256 end = lastProcessedOrder + count;
        if (end > latestOrder) revert NotEnoughOrdersToProcess(count, latestOrder);
        for (uint256 index = start; index <= end; ++index) {
            lastProcessedOrder = index;
            Order memory order = orders[index];
            if (order.orderType == OrderType.PRE_FILLED) continue;
            if (order.orderType == OrderType.REFUND) {
                _burn(index);
                _refund(index, order);
            } else _settle(index, order);
        }
        emit OrdersProcessedInRange(start, end);
    }

    function _settle(uint256 index, Order memory order) private {
        address receiver = ownerOf(index);
        if (tellerWithMultiAssetSupport.isPaused()) revert TellerIsPaused();
        uint256 fee = _fee(order, receiver);
        if (_isRefundedForFee(index, order, fee)) return;
        uint256 assetsOut = _assetsOut(order, fee);
        _requireBalance(order.wantAsset, assetsOut);
        _burn(index);
        try
            tellerWithMultiAssetSupport.bulkWithdraw(
                order.wantAsset,
                order.amountOffer - fee,
                assetsOut,
                receiver
            )
        {
            _payFee(fee);
        } catch {
            order.didOrderFailTransfer = true;
            orders[index].didOrderFailTransfer = true;
            _refund(index, order);
        }
        _sayProcessed(index, order, receiver, fee, assetsOut);
    }

    /// Pays an order before its turn.
    function forceProcess(uint256 orderIndex) external requiresAuth {
        _requirePending(orderIndex);
        Order memory order = orders[orderIndex];
        if (order.orderType != OrderType.DEFAULT)
            revert InvalidOrderType(orderIndex, order.orderType);
        address receiver = ownerOf(orderIndex);
        if (tellerWithMultiAssetSupport.isPaused()) revert TellerIsPaused();
        uint256 fee = _fee(order, receiver);
        uint256 assetsOut = _assetsOut(order, fee);
        _requireBalance(order.wantAsset, assetsOut);
        order.orderType = OrderType.PRE_FILLED;
        orders[orderIndex] = order;
        _burn(orderIndex);
        tellerWithMultiAssetSupport.bulkWithdraw(
            order.wantAsset,
            order.amountOffer - fee,
            assetsOut,
            receiver
        );
        _payFee(fee);
        _sayProcessed(orderIndex, order, receiver, fee, assetsOut);
    }

    function _fee(Order memory order, address receiver) private view returns (uint256) {
        if (address(feeModule) == address(0)) return 0;
        return
            feeModule.calculateOfferFees(
                order.amountOffer,
                address(offerAsset),
                order.wantAsset,
                receiver
            );
    }

    function _assetsOut(
        Order memory order,
        uint256 fee
    ) private view returns (uint256 assetsOut) {
        uint256 shares = order.amountOffer - fee;
        AccountantBase accountant = tellerWithMultiAssetSupport.accountant();
        assetsOut = (shares * accountant.getRateInQuoteSafe(order.wantAsset)) / oneShare;
        if (assetsOut == 0) revert InvalidAssetsOut();
    }

    function _requireBalance(address wantAsset, uint256 assetsOut) private view {
        uint256 balance = TokenBase(wantAsset).balanceOf(address(offerAsset));
        if (balance < assetsOut) revert VaultInsufficientBalance(wantAsset, assetsOut, balance);
    }

    function _payFee(uint256 fee) private {
        if (fee > 0) address(offerAsset).safeTransfer(feeRecipient, fee);
    }

    function getOrderStatus(uint256 orderIndex) external view returns (OrderStatus) {
        if (orderIndex == 0 || orderIndex > latestOrder) return OrderStatus.NOT_FOUND;
        Order storage order = orders[orderIndex];
        if (order.orderType == OrderType.PRE_FILLED) return OrderStatus.COMPLETE_PRE_FILLED;
        if (order.didOrderFailRefund) return OrderStatus.FAILED_REFUND;
        if (order.didOrderFailTransfer) return OrderStatus.FAILED_TRANSFER_REFUNDED;
        bool isRefund = order.orderType == OrderType.REFUND;
        if (orderIndex > lastProcessedOrder)
            return isRefund ? OrderStatus.PENDING_REFUND : OrderStatus.PENDING;
        return isRefund ? OrderStatus.COMPLETE_REFUNDED : OrderStatus.COMPLETE;
    }

    function setMinimumOrderSize(uint256 minimum) external requiresAuth {
        emit MinimumOrderSizeUpdated(minimumOrderSize, minimum);
        minimumOrderSize = minimum;
    }

    function setFeeModule(IFeeModule module) external requiresAuth {
        _requireEmpty();
        emit FeeModuleUpdated(address(feeModule), address(module));
        feeModule = module;
    }

    function setFeeRecipient(address recipient) external requiresAuth {
        if (recipient == address(0)) revert ZeroAddress();
        emit FeeRecipientUpdated(feeRecipient, recipient);
        feeRecipient = recipient;
    }

    function setTeller(TellerBase teller) external requiresAuth {
        _requireEmpty();
        emit TellerUpdated(address(tellerWithMultiAssetSupport), address(teller));
        tellerWithMultiAssetSupport = teller;
    }

    function _requireEmpty() private view {
        if (lastProcessedOrder != latestOrder) revert QueueMustBeEmpty();
    }

    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        return
            ecrecover(
                digest,
                uint8(signature[64]),
                bytes32(signature[0:32]),
                bytes32(signature[32:64])
            );
    }
}
