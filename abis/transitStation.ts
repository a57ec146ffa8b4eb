import { parseAbi } from 'abitype'

const QUOTE_STRUCTS = [
  'struct Route { uint32 destEID; address offerAsset; address wantAsset; }',
  'struct Quote { Route route; uint256 offerAmount; address receiver; uint256 protocolFee; uint256 integratorFee; address integratorFeeReceiver; bytes32 distributorCode; uint256 deadline; bytes32 salt; }',
] as const
const SUBMIT_ORDER =
  'function submitOrder(Quote quote, bytes signature) payable returns (bytes32 uuid)'
const SUBMIT_ORDER_WITH_PERMIT =
  'function submitOrderWithPermit(Quote quote, bytes signature, uint256 permitDeadline, uint8 v, bytes32 r, bytes32 s) payable returns (bytes32 uuid)'

/** The largest fees that a station takes from an offer, rounded down. */
export const MAX_PROTOCOL_FEE_BPS = 50
export const MAX_INTEGRATOR_FEE_BPS = 1_000

/** The function that a submission calls, as fragments: the structs first, the function last. */
export const submitOrderFragments = [...QUOTE_STRUCTS, SUBMIT_ORDER] as const
export const submitOrderWithPermitFragments = [...QUOTE_STRUCTS, SUBMIT_ORDER_WITH_PERMIT] as const

/** TransitStation, as deployed on every Transit chain. The events, their order and the reverts: docs/contracts.md. */
export const transitStationAbi = parseAbi([
  ...QUOTE_STRUCTS,
  'struct OrderTerms { bytes32 uuid; address wantAsset; address receiver; address offerAsset; uint256 offerAmountNormalized18AfterFees; }',
  'struct Order { OrderTerms terms; uint256 amountDue; uint64 queuedAt; }',
  'struct FillBatch { address wantAsset; bytes32[] uuids; uint256[] amounts; }',
  SUBMIT_ORDER,
  SUBMIT_ORDER_WITH_PERMIT,
  'function executePendingOrders(FillBatch[] batches)',
  'function forceRemovePendingOrder(bytes32 uuid)',
  'function forceSetUsedDigestTrue(bytes32 uuid)',
  'function setRouteApprovals(Route[] routes, bool[] approved)',
  'function quoteSend(uint32 destEID, OrderTerms terms) view returns (uint256)',
  'function hashQuote(Quote quote) pure returns (bytes32)',
  'function approvedRoutes(uint32 destEID, address offerAsset, address wantAsset) view returns (bool)',
  'function usedDigests(bytes32) view returns (bool)',
  'function pendingOrders(bytes32) view returns (OrderTerms terms, uint256 amountDue, uint64 queuedAt)',
  'function getPendingOrders() view returns (Order[] orders)',
  'function getPendingOrderIds() view returns (bytes32[])',
  'function pendingOrderIdsContains(bytes32 uuid) view returns (bool)',
  'function pendingOrderCount() view returns (uint256)',
  'function messageGasLimit(uint32) view returns (uint64)',
  'function peers(uint32 eid) view returns (bytes32 peer)',
  'function thisChainEID() view returns (uint32)',
  'function quoteSigner() view returns (address)',
  'function protocolFeeRecipient() view returns (address)',
  'function offerReceiver() view returns (address)',
  'function wantAssetSource() view returns (address)',
  'function endpoint() view returns (address)',
  'function paused() view returns (bool)',
  'function owner() view returns (address)',
  'function authority() view returns (address)',
  'function MAX_PROTOCOL_FEE_BPS() view returns (uint256)',
  'function MAX_INTEGRATOR_FEE_BPS() view returns (uint256)',
  'event OrderSubmitted(bytes32 indexed uuid, uint32 sourceEID, Quote quote, address indexed user, bytes32 indexed distributorCode)',
  'event OrderBridged(bytes32 indexed uuid, uint32 indexed destEID, bytes32 guid, OrderTerms terms)',
  'event OrderReceived(bytes32 indexed uuid, Order order)',
  'event OrderBridgeReceived(bytes32 indexed uuid, uint32 indexed srcEID, bytes32 guid, Order order)',
  'event OrderExecuted(bytes32 indexed uuid, uint256 amount, uint256 remaining)',
  'event OrderForceRemoved(bytes32 indexed uuid, Order order)',
  'event UUIDForceSetUsed(bytes32 indexed uuid)',
  'event RouteApprovalSet(Route route, bool indexed approved)',
  'event QuoteSignerSet(address indexed signer)',
  'event ProtocolFeeRecipientSet(address indexed recipient)',
  'event OfferReceiverSet(address indexed offerReceiver)',
  'event WantAssetSourceSet(address indexed wantAssetSource)',
  'event MessageGasLimitSet(uint32 indexed eid, uint64 gasLimit)',
  'event PeerSet(uint32 eid, bytes32 peer)',
  'event Paused(address account)',
  'event Unpaused(address account)',
  'error GasLimitNotSet(uint32 eid)',
  'error NoPeer(uint32 eid)',
  'error OrderNotFound(bytes32 uuid)',
  'error AmountExceedsDue(bytes32 uuid, uint256 requested, uint256 due)',
  'error WantAssetMismatch(bytes32 uuid, address orderWantAsset, address batchWantAsset)',
  'error ZeroAddress()',
  'error SignatureAlreadyUsed(bytes32 digest)',
  'error QuoteExpired(uint256 deadline)',
  'error ProtocolFeeTooHigh(uint256 protocolFee, uint256 maxProtocolFee)',
  'error IntegratorFeeTooHigh(uint256 integratorFee, uint256 maxIntegratorFee)',
  'error FeesExceedOrEqualOffer(uint256 protocolFee, uint256 integratorFee, uint256 offerAmount)',
  'error ResidualApproval(address token, address wantAssetSource, uint256 remaining)',
  'error PermitFailedAndAllowanceTooLow()',
  'error InvalidSigner(address recoveredSigner)',
  'error RouteNotApproved(Route route)',
  'error SameChainOrdersRequireNoValue()',
  'error DuplicatePushAttempt()',
  'error EnforcedPause()',
])
