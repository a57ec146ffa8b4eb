import { parseAbi } from 'viem'

/**
 * Functions that only the operators of the local vaults call. The deployed contracts may name them
 * otherwise.
 */
export const tellerOperatorAbi = parseAbi([
  'function deposit(address depositAsset, uint256 depositAmount, uint256 minimumMint) returns (uint256 shares)',
  'function addDepositAsset(address asset)',
  'function removeDepositAsset(address asset)',
  'function addWithdrawAsset(address asset)',
  'function removeWithdrawAsset(address asset)',
  'function setShareLockPeriod(uint64 period)',
  'function pause()',
  'function unpause()',
])
export const accountantOperatorAbi = parseAbi([
  'function updateExchangeRate(uint96 newRate)',
  'function setRateProviderData(address asset, bool isPegged, address rateProvider)',
  'function pause()',
  'function unpause()',
])
export const depositorOperatorAbi = parseAbi([
  'function setFeeModule(address module)',
  'function setFeeRecipient(address recipient)',
  'function setSupplyCapInBase(uint256 cap)',
  'function setKytStatus(address asset, bool enabled)',
  'function setRegistry(address registry)',
  'function setPolicyID(string policyID)',
])
export const queueOperatorAbi = parseAbi([
  'function refundOrders(uint256[] orderIndices)',
  'function setMinimumOrderSize(uint256 minimum)',
  'function setFeeModule(address module)',
  'function setFeeRecipient(address recipient)',
  'function setRecoveryAddress(address recovery)',
  'function setTeller(address teller)',
  'function transferFrom(address from, address to, uint256 tokenId)',
])
export const freezeHookOperatorAbi = parseAbi([
  'function setFrozen(address account, bool isFrozen)',
])
export const blacklistAbi = parseAbi([
  'function blacklist(address account)',
  'function unBlacklist(address account)',
])
