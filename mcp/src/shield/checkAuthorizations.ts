import {
  type CallToCheck,
  checkCall,
  checkPermit,
  type OpenBook,
  type SpendingIntent,
} from '@causeway/sdk/shield'
import { type Address, isAddressEqual, maxUint256 } from 'viem'
import type { Answer, AnswerCheck } from './checkedParts.ts'
import { addressOf, amountOf, chainOf, sourceOf, type Words } from './words.ts'

/** A contract that takes a token, in the user's words. */
type Allowance = { intent: SpendingIntent; chainId: number; token: Address }

/** The ways to let the transit station take an offer. */
export const checkAuthorization: AnswerCheck = async ({ book }, words, { methods }) => {
  const allowance = orderAllowance(words, chainOf(words), addressOf(words, 'tokenAddress'))
  const checked = await Promise.all(
    (methods as Answer[]).map(async ({ type, permitData, transaction, requiresFollowUp }) => {
      if (permitData) {
        const { ok, permit } = checkedPermit(book, allowance, permitData)
        return { ok, method: { type, permitData: permit } }
      }
      const { ok, approval } = await checkedApproval(book, allowance, transaction as Answer)
      return { ok, method: { type, transaction: approval, requiresFollowUp } }
    }),
  )
  return {
    parts: { methods: checked.map(({ ok, method }) => ({ ...method, description: ok })) },
    sentences: [...new Set(checked.map(({ ok }) => ok))],
  }
}

/** The way to let a vault's depositor take a deposit, its queue take shares, or a station take the offer of a deposit. */
export const checkDepositAuthorization: AnswerCheck = async (
  { book },
  words,
  { permitData, approvalTransaction },
) => {
  const allowance = vaultAllowance(words)
  if (permitData) {
    const { ok, permit } = checkedPermit(book, allowance, permitData)
    return { parts: { permitData: permit }, sentences: [ok] }
  }
  if (!approvalTransaction) return { parts: {}, sentences: [] }
  const { ok, approval } = await checkedApproval(book, allowance, approvalTransaction as Answer)
  const { requiresFollowUp } = approvalTransaction as Answer
  return { parts: { approvalTransaction: { ...approval, requiresFollowUp } }, sentences: [ok] }
}

function vaultAllowance(words: Words): Allowance {
  const chainId = chainOf(words)
  const vaultAddress = addressOf(words, 'vaultAddress')
  const token = addressOf(words, 'tokenAddress')
  const source = sourceOf(words, { chainId, depositAsset: token })
  if (source) return orderAllowance(words, source.chainId, source.asset)
  const account = addressOf(words, 'userAddress')
  const amount = amountOf(words, 'amount')
  const place = { account, chainId, vaultAddress }
  const intent: SpendingIntent = isAddressEqual(token, vaultAddress)
    ? {
        ...place,
        kind: 'withdraw',
        wantAsset: vaultAddress,
        shareAmount: amount,
        receiver: account,
        refundReceiver: account,
      }
    : {
        ...place,
        kind: 'deposit',
        depositAsset: token,
        depositAmount: amount,
        to: account,
        minimumShares: maxUint256,
      }
  return { intent, chainId, token }
}

/** An order whose offer is taken. No order itself fits it: it would have to pay more than there can be. */
function orderAllowance(words: Words, chainId: number, token: Address): Allowance {
  const account = addressOf(words, 'userAddress')
  const intent: SpendingIntent = {
    kind: 'transit',
    account,
    sourceChainId: chainId,
    offerAsset: token,
    offerAmount: amountOf(words, 'amount'),
    destinationChainId: chainId,
    wantAsset: token,
    receiver: account,
    minimumAmountOut: maxUint256,
  }
  return { intent, chainId, token }
}

/** The typed data of a permit: checked values, in the form of the API. */
function checkedPermit(book: OpenBook, { intent }: Allowance, given: unknown) {
  const { ok, typedData } = checkPermit(book, intent, readPermit(given))
  const { domain, types, message } = typedData
  const [value, nonce, deadline] = [message.value, message.nonce, message.deadline].map(String)
  return { ok, permit: { domain, types, value: { ...message, value, nonce, deadline }, deadline } }
}

/** The calldata of an approval. It goes to the token of the user's words, so no other call than one of the token is possible. */
async function checkedApproval(
  book: OpenBook,
  { intent, chainId, token }: Allowance,
  { encoded }: Answer,
) {
  const data = String(encoded)
  const call: CallToCheck = { chainId, to: token, value: 0n, data }
  const { ok } = await checkCall(book, intent, call)
  return { ok, approval: { encoded: data } }
}

/** The parts that a domain of EIP-712 can have. */
const DOMAIN = ['name', 'version', 'chainId', 'verifyingContract', 'salt'] as const

type PermitData = Parameters<typeof checkPermit>[2]

/** A permit of the API's JSON, with its amounts as numbers. Throws for text that is no number. */
function readPermit(given: unknown): PermitData {
  const { domain, types, value, deadline } = given as {
    domain: PermitData['domain']
    types: PermitData['types']
    value: Record<keyof PermitData['value'], string>
    deadline: string
  }
  const { owner, spender } = value
  const parts = DOMAIN.filter((part) => domain[part] !== undefined)
  return {
    domain: Object.fromEntries(parts.map((part) => [part, domain[part]])),
    types,
    value: {
      owner: owner as Address, // Both are compared with the user's words.
      spender: spender as Address,
      value: BigInt(value.value),
      nonce: BigInt(value.nonce),
      deadline: BigInt(value.deadline),
    },
    deadline: BigInt(deadline),
  }
}
