import { parseAbi } from 'abitype'

/**
 * `A` (until about 2026-02): no attestation, no fee, no cap. `B` (2026-01-29 to 03-11): fee in shares; the
 * last build of it has the cap's getter of C. `C` (2026-03-12 to 04-26): fee in the deposit asset. `D`: as
 * C, and the event has the fee.
 */
export const DEPOSITOR_GENERATIONS = ['A', 'B', 'C', 'D'] as const

const ATTESTATION =
  'struct Attestation { string uuid; uint256 expiration; address attester; bytes signature; }'
const DEPOSIT =
  'function deposit(address depositAsset, uint256 depositAmount, uint256 minimumMint, address to, bytes distributorCode, Attestation _attestation) returns (uint256 shares)'
const DEPOSIT_WITH_PERMIT =
  'function depositWithPermit(address depositAsset, uint256 depositAmount, uint256 minimumMint, address to, bytes distributorCode, Attestation _attestation, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns (uint256 shares)'
const DEPOSIT_A =
  'function deposit(address depositAsset, uint256 depositAmount, uint256 minimumMint, address to, bytes distributorCode) returns (uint256 shares)'
const DEPOSIT_WITH_PERMIT_A =
  'function depositWithPermit(address depositAsset, uint256 depositAmount, uint256 minimumMint, address to, bytes distributorCode, uint256 deadline, uint8 v, bytes32 r, bytes32 s) returns (uint256 shares)'

/** The functions that a deposit calls, as fragments: the structs first, the function last. */
export const depositFragments = {
  deposit: [ATTESTATION, DEPOSIT],
  depositWithPermit: [ATTESTATION, DEPOSIT_WITH_PERMIT],
} as const
export const depositAFragments = {
  deposit: [DEPOSIT_A],
  depositWithPermit: [DEPOSIT_WITH_PERMIT_A],
} as const

const COMMON = [
  'function teller() view returns (address)',
  'function boringVault() view returns (address)',
  'function authority() view returns (address)',
  'function owner() view returns (address)',
  'function depositNonce() view returns (uint256)',
  'function isNativeDepositSupported() view returns (bool)',
  'function nativeWrapper() view returns (address)',
  'error PermitFailedAndAllowanceTooLow()',
  'error ZeroAddress()',
] as const
const ATTESTING = [
  'function feeModule() view returns (address)',
  'function feeRecipient() view returns (address)',
  'function kytEnabled(address) view returns (bool)',
  'function getRegistry() view returns (address)',
  'function getPolicyID() view returns (string policyID)',
  'event FeeModuleUpdated(address indexed newFeeModule)',
  'event FeeRecipientUpdated(address indexed newFeeRecipient)',
  'event PredicateRegistryUpdated(address indexed oldRegistry, address indexed newRegistry)',
  'event PredicatePolicyIDUpdated(string oldPolicyID, string newPolicyID)',
  'error UnauthorizedTransaction()',
] as const
const FEE_IN_ASSET = 'error FeesExceedOrEqualAmount()'
/** The event of generations A, B and C. */
const DEPOSITED =
  'event DepositWithDistributorCode(address indexed depositor, address indexed depositAsset, uint256 depositAmount, uint256 minimumMint, address to, bytes32 depositHash, bytes indexed distributorCode)'
const CAPPED_IN_BASE = [
  'function supplyCapInBase() view returns (uint256)',
  'event SupplyCapInBaseUpdated(uint256 newSupplyCapInBase)',
  'error SupplyCapInBaseError(uint256 resultingValue, uint256 supplyCapInBase)',
] as const
const KYT_STATUS = 'event KytStatusUpdated(address indexed depositAsset, bool indexed enabled)'

/** DistributorCodeDepositor: takes users' deposits. */
export const depositorAbi = parseAbi([
  ...depositFragments.deposit,
  DEPOSIT_WITH_PERMIT,
  'function depositNative(uint256 depositAmount, uint256 minimumMint, address to, bytes distributorCode, Attestation _attestation) payable returns (uint256 shares)',
  ...COMMON,
  ...ATTESTING,
  ...CAPPED_IN_BASE,
  FEE_IN_ASSET,
  KYT_STATUS,
  'event DepositWithDistributorCode(address indexed depositor, address indexed depositAsset, uint256 depositAmount, uint256 feeAmount, uint256 minimumMint, address to, bytes32 depositHash, bytes indexed distributorCode)',
])

/** Generation A. The attestations of all later generations sign its statement. */
export const depositorAAbi = parseAbi([
  DEPOSIT_A,
  DEPOSIT_WITH_PERMIT_A,
  ...COMMON,
  DEPOSITED,
  'event DepositWithCommunityCode(address indexed depositor, address indexed depositAsset, uint256 depositAmount, uint256 minimumMint, address to, bytes32 depositHash, bytes indexed communityCode)',
])

/** Generation B. `supplyCap` is in shares until 2026-03-08, then in base; its last build has `supplyCapInBase`. */
export const depositorBAbi = parseAbi([
  ...depositFragments.deposit,
  DEPOSIT_WITH_PERMIT,
  ...COMMON,
  ...ATTESTING,
  KYT_STATUS,
  DEPOSITED,
  'function supplyCap() view returns (uint256)',
  'event SupplyCapUpdated(uint256 newSupplyCap)',
  'error SupplyCapError(uint256 resulting, uint256 supplyCap)',
  ...CAPPED_IN_BASE,
  'error FeesExceedOrEqualShares()',
  'error InsufficientSharesAfterFees(uint256 actual, uint256 minimum)',
])

/** Generation C. Not verified against its bytecode. */
export const depositorCAbi = parseAbi([
  ...depositFragments.deposit,
  DEPOSIT_WITH_PERMIT,
  ...COMMON,
  ...ATTESTING,
  ...CAPPED_IN_BASE,
  FEE_IN_ASSET,
  KYT_STATUS,
  DEPOSITED,
])
