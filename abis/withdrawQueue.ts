import { parseAbi } from 'abitype'

/**
 * `A` (2026-01-29 to 02-10): orders of 5 fields, OrderProcessed without amounts. `B` (02-11 to 03-08):
 * with fee and assets. `C`: orders of 6 fields, an event for a failed refund.
 */
export const QUEUE_GENERATIONS = ['A', 'B', 'C'] as const

const SIGNATURE_PARAMS =
  'struct SignatureParams { uint8 approvalMethod; uint8 approvalV; bytes32 approvalR; bytes32 approvalS; bool submitWithSignature; uint256 deadline; bytes eip2612Signature; }'
const SUBMIT_PARAMS =
  'struct SubmitOrderParams { uint256 amountOffer; address wantAsset; address intendedDepositor; address receiver; address refundReceiver; SignatureParams signatureParams; }'
const SUBMIT = 'function submitOrder(SubmitOrderParams params) returns (uint256 orderIndex)'
const SUBMIT_AND_PROCESS_ALL =
  'function submitOrderAndProcessAll(SubmitOrderParams params) returns (uint256 orderIndex)'
const CANCEL = 'function cancelOrder(uint256 orderIndex)'

/** The functions that a withdrawal calls, as fragments: the structs first, the function last. */
export const withdrawFragments = {
  submitOrder: [SIGNATURE_PARAMS, SUBMIT_PARAMS, SUBMIT],
  submitOrderAndProcessAll: [SIGNATURE_PARAMS, SUBMIT_PARAMS, SUBMIT_AND_PROCESS_ALL],
} as const
export const cancelFragments = [CANCEL] as const

const COMMON = [
  SIGNATURE_PARAMS,
  SUBMIT_PARAMS,
  SUBMIT,
  'function submitOrderAndProcess(SubmitOrderParams params, uint256 ordersToProcess) returns (uint256 orderIndex)',
  SUBMIT_AND_PROCESS_ALL,
  CANCEL,
  'function cancelOrderWithSignature(uint256 orderIndex, uint256 deadline, bytes cancelSignature)',
  'function processOrders(uint256 ordersToProcess)',
  'function forceProcess(uint256 orderIndex)',
  'function refundOrder(uint256 orderIndex)',
  'function getOrderStatus(uint256 orderIndex) view returns (uint8)',
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function lastProcessedOrder() view returns (uint256)',
  'function latestOrder() view returns (uint256)',
  'function minimumOrderSize() view returns (uint256)',
  'function offerAsset() view returns (address)',
  'function feeModule() view returns (address)',
  'function feeRecipient() view returns (address)',
  'function tellerWithMultiAssetSupport() view returns (address)',
  'function authority() view returns (address)',
  'function owner() view returns (address)',
  'function nonces(address) view returns (uint256)',
  'event OrderMarkedForRefund(uint256 indexed orderIndex, bool indexed isMarkedByUser)',
  'event OrdersProcessedInRange(uint256 indexed startIndex, uint256 indexed endIndex)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event MinimumOrderSizeUpdated(uint256 oldMinimum, uint256 newMinimum)',
  'event FeeModuleUpdated(address indexed oldFeeModule, address indexed newFeeModule)',
  'event FeeRecipientUpdated(address indexed oldFeeRecipient, address indexed newFeeRecipient)',
  'event TellerUpdated(address indexed oldTeller, address indexed newTeller)',
  'error AmountBelowMinimum(uint256 amount, uint256 minimum)',
  'error AssetNotSupported(address asset)',
  'error InvalidDepositor(address intendedDepositor, address depositor)',
  'error OnlyOrderOwnerCanCancel(address attemptedToCancel, address orderOwner)',
  'error OrderAlreadyProcessed(uint256 orderIndex)',
  'error InvalidOrderType(uint256 orderIndex, uint8 currentStatus)',
  'error InvalidOrderIndex(uint256 orderIndex)',
  'error NotEnoughOrdersToProcess(uint256 ordersToProcess, uint256 latestOrder)',
  'error VaultInsufficientBalance(address wantAsset, uint256 expectedAssetsOut, uint256 vaultBalanceOfWantAsset)',
  'error InvalidAssetsOut()',
  'error TellerIsPaused()',
  'error PermitFailedAndAllowanceTooLow()',
  'error ZeroAddress()',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721InvalidReceiver(address receiver)',
] as const
const ORDER_OF_5 =
  'struct WOrder { uint256 amountOffer; address wantAsset; address refundReceiver; uint8 orderType; bool didOrderFailTransfer; }'
const OF_5 = [
  ORDER_OF_5,
  'function orderAtQueueIndex(uint256) view returns (uint256 amountOffer, address wantAsset, address refundReceiver, uint8 orderType, bool didOrderFailTransfer)',
] as const
const SUBMITTED =
  'event OrderSubmitted(uint256 indexed orderIndex, WOrder order, address indexed receiver, address indexed depositor, bool isSubmittedViaSignature)'
const REFUNDED = 'event OrderRefunded(uint256 indexed orderIndex, WOrder order)'
const PROCESSED_WITH_FIGURES =
  'event OrderProcessed(uint256 indexed orderIndex, WOrder order, address indexed receiver, bool indexed isForceProcessed, uint256 feeAmount, uint256 assetsOut)'

/** WithdrawQueue: first in, first out. Each withdrawal request (the contract's "order") has a receipt (ERC-721), whose holder is paid. */
export const withdrawQueueAbi = parseAbi([
  'struct WOrder { uint256 amountOffer; address wantAsset; address refundReceiver; uint8 orderType; bool didOrderFailTransfer; bool didOrderFailRefund; }',
  ...COMMON,
  'function orderAtQueueIndex(uint256) view returns (uint256 amountOffer, address wantAsset, address refundReceiver, uint8 orderType, bool didOrderFailTransfer, bool didOrderFailRefund)',
  'function recoveryAddress() view returns (address)',
  SUBMITTED,
  PROCESSED_WITH_FIGURES,
  REFUNDED,
  'event OrderRefundFailed(uint256 indexed orderIndex, address indexed refundReceiver, address indexed recoveryAddress)',
  'event FeesExceededOrderAmount(uint256 indexed orderIndex, uint256 amountOffer, uint256 feeAmount)',
  'event RecoveryAddressUpdated(address indexed oldRecoveryAddress, address indexed newRecoveryAddress)',
])

/** Generation A. Its events are in the recording. */
export const withdrawQueueAAbi = parseAbi([
  ...OF_5,
  ...COMMON,
  SUBMITTED,
  'event OrderProcessed(uint256 indexed orderIndex, WOrder order, address indexed receiver, bool indexed isForceProcessed)',
  REFUNDED,
])

/** Generation B. Not verified against its bytecode. */
export const withdrawQueueBAbi = parseAbi([
  ...OF_5,
  ...COMMON,
  SUBMITTED,
  PROCESSED_WITH_FIGURES,
  REFUNDED,
])
