import {
  type CheckOptions,
  checkCall,
  type DepositFromIntent,
  type DepositIntent,
  type Intent,
} from '@causeway/sdk/shield'
import type { Address, Hash } from 'viem'
import type { Answer, AnswerCheck, CheckedParts } from './checkedParts.ts'
import type { Shield } from './openShield.ts'
import {
  addressOf,
  amountOf,
  chainOf,
  limitedAmount,
  limitOf,
  optionalAddress,
  optionalAmount,
  optionalHex,
  optionalText,
  permitOf,
  type Source,
  sourceOf,
  type Words,
} from './words.ts'

/** The order of a signed quote. An indicative one has nothing to sign. */
export const checkQuote: AnswerCheck = async (shield, words, answer) => {
  if (!answer.transaction) return { parts: {}, sentences: [] }
  const receiver = addressOf(words, 'userAddress')
  const sourceChainId = chainOf(words, 'sourceChainId')
  const intent: Intent = {
    kind: 'transit',
    account: optionalAddress(words, 'payerAddress') ?? receiver,
    receiver,
    sourceChainId,
    offerAsset: addressOf(words, 'offerAsset'),
    offerAmount:
      optionalAmount(words, 'offerAmount') ??
      limitedAmount(answer.offerAmount, words, 'maxOfferAmount'),
    destinationChainId: chainOf(words, 'destinationChainId'),
    wantAsset: addressOf(words, 'wantAsset'),
    minimumAmountOut: leastOf(words),
    integratorFee: optionalAmount(words, 'integratorFee'),
    integratorFeeReceiver: optionalAddress(words, 'integratorFeeReceiver'),
    distributorCode: optionalHex(words, 'distributorCode'),
  }
  const { orderId } = answer
  return checkTransaction(shield, intent, {
    chainId: sourceChainId,
    transaction: answer.transaction,
    permit: permitOf(words),
    orderId: String(orderId) as Hash, // It is compared with the digest.
  })
}

/** The least that the receiver gets: the wanted amount, or the user's limit if that is more. */
function leastOf(words: Words): bigint {
  const wanted = optionalAmount(words, 'wantAmount')
  const limit = optionalAmount(words, 'minimumAmountOut')
  if (wanted === undefined || (limit !== undefined && limit > wanted))
    return limitOf(words, 'minimumAmountOut')
  return wanted
}

/** A deposit, also from another chain or with another token. */
export const checkDeposit: AnswerCheck = async (shield, words, { transaction, journey }) => {
  const account = addressOf(words, 'userAddress')
  const vault = {
    account,
    chainId: chainOf(words),
    vaultAddress: addressOf(words, 'vaultAddress'),
    depositAsset: addressOf(words, 'depositAsset'),
    to: optionalAddress(words, 'to') ?? account,
  }
  const from = sourceOf(words, vault)
  const permit = permitOf(words)
  if (from) {
    const { id, offerAmount } = (journey ?? {}) as Answer
    const intent = depositFromIntent(words, { ...vault, from }, offerAmount)
    const orderId = String(id) as Hash // It is compared with the digest.
    return checkTransaction(shield, intent, { ...from, transaction, permit, orderId })
  }
  const intent: DepositIntent = {
    ...vault,
    kind: 'deposit',
    depositAmount: amountOf(words, 'depositAmount'),
    minimumShares: optionalAmount(words, 'minimumShares'),
  }
  return checkTransaction(shield, intent, { chainId: vault.chainId, transaction, permit })
}

type Vault = Pick<DepositIntent, 'account' | 'chainId' | 'vaultAddress' | 'depositAsset' | 'to'>

function depositFromIntent(
  words: Words,
  vault: Vault & { from: Source },
  offerAmount: unknown,
): DepositFromIntent {
  return {
    ...vault,
    kind: 'depositFrom',
    offerAmount:
      optionalAmount(words, 'depositAmount') ??
      limitedAmount(offerAmount, words, 'maxDepositAmount'),
    minimumAmountOut: limitOf(words, 'minimumAmountOut'),
    customerId: optionalText(words, 'customerId'),
    organizationId: optionalText(words, 'organizationId'),
  }
}

/** A withdrawal, at once or by a request. */
export const checkWithdrawal: AnswerCheck = async (shield, words, { transaction }) => {
  const account = addressOf(words, 'userAddress')
  const chainId = chainOf(words)
  const intent: Intent = {
    kind: 'withdraw',
    account,
    chainId,
    vaultAddress: addressOf(words, 'vaultAddress'),
    wantAsset: addressOf(words, 'wantAsset'),
    shareAmount: amountOf(words, 'shareAmount'),
    receiver: optionalAddress(words, 'receiver') ?? account,
    refundReceiver: optionalAddress(words, 'refundReceiver') ?? account,
    minimumAssets: optionalAmount(words, 'minimumAssets'),
    mayWait: words.mayWait === true,
  }
  return checkTransaction(shield, intent, { chainId, transaction, permit: permitOf(words) })
}

/** The cancellation of a withdrawal request. */
export const checkCancellation: AnswerCheck = async (shield, words, { transaction }) => {
  const chainId = chainOf(words)
  const requestId = optionalText(words, 'requestId')
  const request =
    requestId === undefined ? { orderIndex: amountOf(words, 'orderIndex') } : { requestId }
  const vaultAddress = addressOf(words, 'vaultAddress')
  const intent: Intent = { kind: 'cancel', chainId, vaultAddress, ...request }
  return checkTransaction(shield, intent, { chainId, transaction })
}

/** The next call of a user that takes back what lies at its smart deposit address. */
export const checkTakeBack: AnswerCheck = async (shield, words, { transaction }) => {
  if (!transaction) return { parts: {}, sentences: [] }
  const chainId = chainOf(words)
  const intent: Intent = {
    kind: 'takeBack',
    account: addressOf(words, 'userAddress'),
    chainId,
    token: addressOf(words, 'token'),
    inputs: {
      chainId: chainOf(words, 'vaultChainId'),
      vaultAddress: addressOf(words, 'vaultAddress'),
      inputToken: addressOf(words, 'inputToken'),
      customerId: optionalText(words, 'customerId'),
      organizationId: optionalText(words, 'organizationId'),
    },
  }
  return checkTransaction(shield, intent, { chainId, transaction })
}

type Prepared = CheckOptions & { chainId: number; transaction: unknown }

/**
 * The transaction has only what was checked: no `args`, which could be others than those in `data`. It is no approval,
 * which the user would take for the transaction itself.
 */
async function checkTransaction(
  { book, nodes }: Shield,
  intent: Intent,
  { chainId, transaction, ...options }: Prepared,
): Promise<CheckedParts> {
  const given = transaction as Answer
  const [to, value, data] = [given.to, given.value, given.data].map(String) as [
    Address,
    string,
    string,
  ]
  const call = { chainId, to, value: BigInt(value), data }
  const node = nodes.get(chainId)
  const { ok } = await checkCall(book, intent, call, { node, ...options, mayApprove: false })
  return { parts: { transaction: { to, value, data } }, sentences: [ok] }
}
