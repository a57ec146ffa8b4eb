// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Authorized} from "./Authorized.sol";
import {ILayerZeroReceiver, LayerZeroEndpoint, MessagingFee, MessagingParams, MessagingReceipt, Origin} from "./LayerZeroEndpoint.sol";
import {RolesAuthority} from "./RolesAuthority.sol";
import {SafeTransfer} from "./SafeTransfer.sol";

interface IToken {
    function allowance(address owner, address spender) external view returns (uint256);
    function decimals() external view returns (uint8);
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;
}

/// Takes orders by signed quotes and holds the orders that this chain has to execute.
contract TransitStation is Authorized, ILayerZeroReceiver {
    using SafeTransfer for address;

    struct Route {
        uint32 destEID;
        address offerAsset;
        address wantAsset;
    }
    struct Quote {
        Route route;
        uint256 offerAmount;
        address receiver;
        uint256 protocolFee;
        uint256 integratorFee;
        address integratorFeeReceiver;
        bytes32 distributorCode;
        uint256 deadline;
        bytes32 salt;
    }
    struct OrderTerms {
        bytes32 uuid;
        address wantAsset;
        address receiver;
        address offerAsset;
        uint256 offerAmountNormalized18AfterFees;
    }
    struct Order {
        OrderTerms terms;
        uint256 amountDue;
        uint64 queuedAt;
    }
    struct FillBatch {
        address wantAsset;
        bytes32[] uuids;
        uint256[] amounts;
    }

    event OrderSubmitted(
        bytes32 indexed uuid,
        uint32 sourceEID,
        Quote quote,
        address indexed user,
        bytes32 indexed distributorCode
    );
    event OrderBridged(bytes32 indexed uuid, uint32 indexed destEID, bytes32 guid, OrderTerms terms);
    event OrderReceived(bytes32 indexed uuid, Order order);
    event OrderBridgeReceived(
        bytes32 indexed uuid,
        uint32 indexed srcEID,
        bytes32 guid,
        Order order
    );
    event OrderExecuted(bytes32 indexed uuid, uint256 amount, uint256 remaining);
    event OrderForceRemoved(bytes32 indexed uuid, Order order);
    event UUIDForceSetUsed(bytes32 indexed uuid);
    event RouteApprovalSet(Route route, bool indexed approved);
    event QuoteSignerSet(address indexed signer);
    event ProtocolFeeRecipientSet(address indexed recipient);
    event OfferReceiverSet(address indexed offerReceiver);
    event WantAssetSourceSet(address indexed wantAssetSource);
    event MessageGasLimitSet(uint32 indexed eid, uint64 gasLimit);
    event PeerSet(uint32 eid, bytes32 peer);
    event Paused(address account);
    event Unpaused(address account);

    error GasLimitNotSet(uint32 eid);
    error NoPeer(uint32 eid);
    error OrderNotFound(bytes32 uuid);
    error AmountExceedsDue(bytes32 uuid, uint256 requested, uint256 due);
    error WantAssetMismatch(bytes32 uuid, address orderWantAsset, address batchWantAsset);
    error ZeroAddress();
    error SignatureAlreadyUsed(bytes32 digest);
    error QuoteExpired(uint256 deadline);
    error ProtocolFeeTooHigh(uint256 protocolFee, uint256 maxProtocolFee);
    error IntegratorFeeTooHigh(uint256 integratorFee, uint256 maxIntegratorFee);
    error FeesExceedOrEqualOffer(uint256 protocolFee, uint256 integratorFee, uint256 offerAmount);
    error ResidualApproval(address token, address wantAssetSource, uint256 remaining);
    error PermitFailedAndAllowanceTooLow();
    error InvalidSigner(address recoveredSigner);
    error RouteNotApproved(Route route);
    error SameChainOrdersRequireNoValue();
    error DuplicatePushAttempt();
    error EnforcedPause();
    error OnlyEndpoint();
    error OnlyPeer(uint32 eid, bytes32 sender);

    uint256 public constant MAX_PROTOCOL_FEE_BPS = 50;
    uint256 public constant MAX_INTEGRATOR_FEE_BPS = 1_000;
    uint256 private constant BPS = 10_000;
    bytes32 private constant ROUTE_TYPEHASH =
        keccak256("Route(uint32 destEID,address offerAsset,address wantAsset)");
    bytes32 private constant QUOTE_TYPEHASH =
        keccak256(
            "Quote(Route route,uint256 offerAmount,address receiver,uint256 protocolFee,uint256 integratorFee,address integratorFeeReceiver,bytes32 distributorCode,uint256 deadline,bytes32 salt)Route(uint32 destEID,address offerAsset,address wantAsset)"
        );

    LayerZeroEndpoint public immutable endpoint;
    uint32 public immutable thisChainEID;
    bytes32 private immutable domainSeparator;

    address public quoteSigner;
    address public protocolFeeRecipient;
    address public offerReceiver;
    address public wantAssetSource;
    bool public paused;
    mapping(uint32 destEID => mapping(address offerAsset => mapping(address wantAsset => bool)))
        public approvedRoutes;
    mapping(uint32 eid => bytes32) public peers;
    mapping(uint32 eid => uint64) public messageGasLimit;
    mapping(bytes32 digest => bool) public usedDigests;
    mapping(bytes32 uuid => Order) public pendingOrders;
    bytes32[] private pendingIds;
    /// Position in pendingIds plus one; zero if the order is not pending.
    mapping(bytes32 uuid => uint256) private pendingPosition;

    constructor(
        address owner_,
        RolesAuthority authority_,
        LayerZeroEndpoint endpoint_,
        address quoteSigner_,
        address vault
    ) Authorized(owner_, authority_) {
        endpoint = endpoint_;
        thisChainEID = endpoint_.eid();
        domainSeparator = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("TransitStation"),
                keccak256("1"),
                block.chainid,
                address(this)
            )
        );
        protocolFeeRecipient = vault;
        emit ProtocolFeeRecipientSet(vault);
        quoteSigner = quoteSigner_;
        emit QuoteSignerSet(quoteSigner_);
        offerReceiver = vault;
        emit OfferReceiverSet(vault);
        wantAssetSource = vault;
        emit WantAssetSourceSet(vault);
    }

    modifier whenNotPaused() {
        if (paused) revert EnforcedPause();
        _;
    }

    function submitOrder(
        Quote calldata quote,
        bytes calldata signature
    ) external payable requiresAuth whenNotPaused returns (bytes32 uuid) {
        return _submit(quote, signature);
    }

    function submitOrderWithPermit(
        Quote calldata quote,
        bytes calldata signature,
        uint256 permitDeadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external payable requiresAuth whenNotPaused returns (bytes32 uuid) {
        IToken token = IToken(quote.route.offerAsset);
        try
            token.permit(msg.sender, address(this), quote.offerAmount, permitDeadline, v, r, s)
        {} catch {
            // Somebody else may have used the permit already, so the allowance decides.
            if (token.allowance(msg.sender, address(this)) < quote.offerAmount)
                revert PermitFailedAndAllowanceTooLow();
        }
        return _submit(quote, signature);
    }

    function _submit(Quote calldata quote, bytes calldata signature) private returns (bytes32 uuid) {
        _checkTerms(quote);
        uuid = _checkSignature(quote, signature);
        _takeOffer(quote);
        OrderTerms memory terms = _terms(quote, uuid);
        if (quote.route.destEID == thisChainEID) {
            if (msg.value != 0) revert SameChainOrdersRequireNoValue();
            _push(terms);
        } else {
            emit OrderBridged(uuid, quote.route.destEID, _send(quote.route.destEID, terms), terms);
        }
        emit OrderSubmitted(uuid, thisChainEID, quote, msg.sender, quote.distributorCode);
    }

    function _checkTerms(Quote calldata quote) private view {
        if (block.timestamp > quote.deadline) revert QuoteExpired(quote.deadline);
        Route calldata route = quote.route;
        if (!approvedRoutes[route.destEID][route.offerAsset][route.wantAsset])
            revert RouteNotApproved(route);
        if (quote.receiver == address(0)) revert ZeroAddress();
        if (quote.integratorFee > 0 && quote.integratorFeeReceiver == address(0))
            revert ZeroAddress();
        uint256 maxProtocolFee = (quote.offerAmount * MAX_PROTOCOL_FEE_BPS) / BPS;
        if (quote.protocolFee > maxProtocolFee)
            revert ProtocolFeeTooHigh(quote.protocolFee, maxProtocolFee);
        uint256 maxIntegratorFee = (quote.offerAmount * MAX_INTEGRATOR_FEE_BPS) / BPS;
        if (quote.integratorFee > maxIntegratorFee)
            revert IntegratorFeeTooHigh(quote.integratorFee, maxIntegratorFee);
        if (quote.protocolFee + quote.integratorFee >= quote.offerAmount)
            revert FeesExceedOrEqualOffer(
                quote.protocolFee,
                quote.integratorFee,
                quote.offerAmount
            );
    }

    function _checkSignature(
        Quote calldata quote,
        bytes calldata signature
    ) private returns (bytes32 digest) {
        digest = keccak256(abi.encodePacked("\x19\x01", domainSeparator, hashQuote(quote)));
        address signer = signature.length == 65
            ? ecrecover(
                digest,
                uint8(signature[64]),
                bytes32(signature[0:32]),
                bytes32(signature[32:64])
            )
            : address(0);
        if (signer == address(0) || signer != quoteSigner) revert InvalidSigner(signer);
        if (usedDigests[digest]) revert SignatureAlreadyUsed(digest);
        usedDigests[digest] = true;
    }

    function _takeOffer(Quote calldata quote) private {
        address token = quote.route.offerAsset;
        if (quote.protocolFee > 0)
            token.safeTransferFrom(msg.sender, protocolFeeRecipient, quote.protocolFee);
        if (quote.integratorFee > 0)
            token.safeTransferFrom(msg.sender, quote.integratorFeeReceiver, quote.integratorFee);
        token.safeTransferFrom(msg.sender, offerReceiver, _net(quote));
    }

    function _net(Quote calldata quote) private pure returns (uint256) {
        return quote.offerAmount - quote.protocolFee - quote.integratorFee;
    }

    function _terms(
        Quote calldata quote,
        bytes32 uuid
    ) private view returns (OrderTerms memory) {
        return
            OrderTerms(
                uuid,
                quote.route.wantAsset,
                quote.receiver,
                quote.route.offerAsset,
                _scale(_net(quote), IToken(quote.route.offerAsset).decimals(), 18)
            );
    }

    /// Truncates if the wanted asset has fewer decimals.
    function _scale(uint256 amount, uint8 from, uint8 to) private pure returns (uint256) {
        return from <= to ? amount * 10 ** (to - from) : amount / 10 ** (from - to);
    }

    function _send(uint32 destEID, OrderTerms memory terms) private returns (bytes32 guid) {
        MessagingParams memory params = _message(destEID, terms);
        MessagingReceipt memory receipt = endpoint.send{value: msg.value}(params, msg.sender);
        return receipt.guid;
    }

    function _message(
        uint32 destEID,
        OrderTerms memory terms
    ) private view returns (MessagingParams memory) {
        bytes32 peer = peers[destEID];
        if (peer == 0) revert NoPeer(destEID);
        uint64 gasLimit = messageGasLimit[destEID];
        if (gasLimit == 0) revert GasLimitNotSet(destEID);
        bytes memory options = abi.encodePacked(
            uint16(3),
            uint8(1),
            uint16(17),
            uint8(1),
            uint128(gasLimit)
        );
        return MessagingParams(destEID, peer, abi.encode(terms), options, false);
    }

    function quoteSend(uint32 destEID, OrderTerms calldata terms) external view returns (uint256) {
        MessagingFee memory fee = endpoint.quote(_message(destEID, terms), address(this));
        return fee.nativeFee;
    }

    /// Takes an order that another chain's station sent. Not stopped by a pause.
    function lzReceive(
        Origin calldata origin,
        bytes32 guid,
        bytes calldata message,
        address,
        bytes calldata
    ) external payable {
        if (msg.sender != address(endpoint)) revert OnlyEndpoint();
        if (peers[origin.srcEid] != origin.sender) revert OnlyPeer(origin.srcEid, origin.sender);
        OrderTerms memory terms = abi.decode(message, (OrderTerms));
        if (usedDigests[terms.uuid]) revert SignatureAlreadyUsed(terms.uuid);
        usedDigests[terms.uuid] = true;
        Order memory order = _push(terms);
        emit OrderBridgeReceived(terms.uuid, origin.srcEid, guid, order);
    }

    function _push(OrderTerms memory terms) private returns (Order memory order) {
        if (pendingPosition[terms.uuid] != 0) revert DuplicatePushAttempt();
        uint256 amountDue = _scale(
            terms.offerAmountNormalized18AfterFees,
            18,
            IToken(terms.wantAsset).decimals()
        );
        order = Order(terms, amountDue, uint64(block.timestamp));
        pendingOrders[terms.uuid] = order;
        pendingIds.push(terms.uuid);
        pendingPosition[terms.uuid] = pendingIds.length;
        emit OrderReceived(terms.uuid, order);
    }

    function executePendingOrders(
        FillBatch[] calldata batches
    ) external requiresAuth whenNotPaused {
        for (uint256 i; i < batches.length; ++i) {
            FillBatch calldata batch = batches[i];
            for (uint256 j; j < batch.uuids.length; ++j)
                _execute(batch.wantAsset, batch.uuids[j], batch.amounts[j]);
            uint256 rest = IToken(batch.wantAsset).allowance(wantAssetSource, address(this));
            if (rest != 0) revert ResidualApproval(batch.wantAsset, wantAssetSource, rest);
        }
    }

    function _execute(address wantAsset, bytes32 uuid, uint256 amount) private {
        if (pendingPosition[uuid] == 0) revert OrderNotFound(uuid);
        Order storage order = pendingOrders[uuid];
        if (order.terms.wantAsset != wantAsset)
            revert WantAssetMismatch(uuid, order.terms.wantAsset, wantAsset);
        if (amount > order.amountDue) revert AmountExceedsDue(uuid, amount, order.amountDue);
        address receiver = order.terms.receiver;
        uint256 remaining = order.amountDue - amount;
        if (remaining == 0) _remove(uuid);
        else order.amountDue = remaining;
        if (amount > 0) wantAsset.safeTransferFrom(wantAssetSource, receiver, amount);
        emit OrderExecuted(uuid, amount, remaining);
    }

    function forceRemovePendingOrder(bytes32 uuid) external requiresAuth {
        if (pendingPosition[uuid] == 0) revert OrderNotFound(uuid);
        Order memory order = pendingOrders[uuid];
        _remove(uuid);
        emit OrderForceRemoved(uuid, order);
    }

    function _remove(bytes32 uuid) private {
        uint256 position = pendingPosition[uuid];
        bytes32 last = pendingIds[pendingIds.length - 1];
        pendingIds[position - 1] = last;
        pendingPosition[last] = position;
        pendingIds.pop();
        delete pendingPosition[uuid];
        delete pendingOrders[uuid];
    }

    function forceSetUsedDigestTrue(bytes32 uuid) external requiresAuth {
        usedDigests[uuid] = true;
        emit UUIDForceSetUsed(uuid);
    }

    function hashQuote(Quote calldata quote) public pure returns (bytes32) {
        bytes32 routeHash = keccak256(
            abi.encode(
                ROUTE_TYPEHASH,
                quote.route.destEID,
                quote.route.offerAsset,
                quote.route.wantAsset
            )
        );
        return
            keccak256(
                abi.encode(
                    QUOTE_TYPEHASH,
                    routeHash,
                    quote.offerAmount,
                    quote.receiver,
                    quote.protocolFee,
                    quote.integratorFee,
                    quote.integratorFeeReceiver,
                    quote.distributorCode,
                    quote.deadline,
                    quote.salt
                )
            );
    }

    function getPendingOrders() external view returns (Order[] memory orders) {
        orders = new Order[](pendingIds.length);
        for (uint256 i; i < orders.length; ++i) orders[i] = pendingOrders[pendingIds[i]];
    }

    function getPendingOrderIds() external view returns (bytes32[] memory) {
        return pendingIds;
    }

    function pendingOrderIdsContains(bytes32 uuid) external view returns (bool) {
        return pendingPosition[uuid] != 0;
    }

    function pendingOrderCount() external view returns (uint256) {
        return pendingIds.length;
    }

    function setRouteApprovals(
        Route[] calldata routes,
        bool[] calldata approved
    ) external requiresAuth {
        for (uint256 i; i < routes.length; ++i) {
            Route calldata route = routes[i];
            approvedRoutes[route.destEID][route.offerAsset][route.wantAsset] = approved[i];
            emit RouteApprovalSet(route, approved[i]);
        }
    }

    function setPeer(uint32 eid, bytes32 peer) external requiresAuth {
        peers[eid] = peer;
        emit PeerSet(eid, peer);
    }

    function setMessageGasLimit(uint32 eid, uint64 gasLimit) external requiresAuth {
        messageGasLimit[eid] = gasLimit;
        emit MessageGasLimitSet(eid, gasLimit);
    }

    function setQuoteSigner(address signer) external requiresAuth {
        quoteSigner = _present(signer);
        emit QuoteSignerSet(signer);
    }

    function setProtocolFeeRecipient(address recipient) external requiresAuth {
        protocolFeeRecipient = _present(recipient);
        emit ProtocolFeeRecipientSet(recipient);
    }

    function setOfferReceiver(address receiver) external requiresAuth {
        offerReceiver = _present(receiver);
        emit OfferReceiverSet(receiver);
    }

    function setWantAssetSource(address source) external requiresAuth {
        wantAssetSource = _present(source);
        emit WantAssetSourceSet(source);
    }

    function _present(address account) private pure returns (address) {
        if (account == address(0)) revert ZeroAddress();
        return account;
    }

    function pause() external requiresAuth {
        paused = true;
        emit Paused(msg.sender);
    }

    function unpause() external requiresAuth {
        paused = false;
        emit Unpaused(msg.sender);
    }
}
