import type { Address } from 'viem'
import { userAt } from '../../../devnet/accounts.ts'
import type { CausewayClient } from '../../../sdk/src/createCausewayClient.ts'
import { checkDepositAddress } from '../../../sdk/src/shield/checkDepositAddress.ts'
import { checkPermit } from '../../../sdk/src/shield/checkPermit.ts'
import type { SpendingIntent } from '../../../sdk/src/shield/intent.ts'
import { some } from './places.ts'
import {
  amountOf,
  cancellation,
  type Drawn,
  deposit,
  depositFrom,
  depositWords,
  type Given,
  order,
  withdrawal,
  withdrawWords,
} from './scenarios.ts'

type OfVault = Awaited<ReturnType<CausewayClient['earn']['authorization']>>
type Offer = { permitData?: OfVault['permitData']; approval?: { encoded: string } | undefined }

/** What lets a contract take a token: the permit to sign, or the approval. */
function authorized(
  name: string,
  { intent, chainId, token }: { intent: SpendingIntent; chainId: number; token: Address },
  { permitData, approval }: Offer,
): Drawn {
  if (permitData)
    return { name: `permit: ${name}`, check: (book) => checkPermit(book, intent, permitData) }
  const call = { chainId, to: token, value: 0n, data: approval?.encoded }
  return { name: `approval: ${name}`, scenario: { intent, call, options: {} } }
}

async function depositAuthorization(given: Given): Promise<Drawn> {
  const { causeway, random } = given
  const { words, name } = depositWords(given)
  const account = userAt(8).address
  const { depositAsset: token, depositAmount: amount, ...place } = words
  const prefer = random.pick(['permit', 'approval'] as const)
  const asked = { ...place, tokenAddress: token, amount, userAddress: account, prefer } as const
  const intent = { ...words, kind: 'deposit', account, to: account } as const
  const { permitData, approvalTransaction: approval } = await causeway.earn.authorization(asked)
  return authorized(name, { intent, chainId: words.chainId, token }, { permitData, approval })
}

async function withdrawAuthorization(given: Given): Promise<Drawn> {
  const { causeway, random } = given
  const { words, name } = withdrawWords(given)
  const account = userAt(8).address
  const { wantAsset, shareAmount: amount, ...place } = words
  const token = words.vaultAddress
  const prefer = random.pick(['permit', 'approval'] as const)
  const shares = { ...place, tokenAddress: token, wantAsset, amount } as const
  const asked = { ...shares, userAddress: account, prefer }
  const { permitData, approvalTransaction: approval } = await causeway.earn.authorization(asked)
  const own = { receiver: account, refundReceiver: account }
  const intent = { ...words, ...own, kind: 'withdraw', account } as const
  return authorized(name, { intent, chainId: words.chainId, token }, { permitData, approval })
}

async function orderAuthorization({ causeway, random, places }: Given): Promise<Drawn> {
  const { offer, want } = random.pick(places.routes)
  const account = userAt(8).address
  const { chainId, address: token } = offer
  const amount = amountOf(random, offer)
  const asked = { chainId, tokenAddress: token, amount, userAddress: account }
  const { methods } = await causeway.transit.authorization(asked)
  const { permitData, transaction: approval } = random.pick(some(methods))
  const intent = {
    kind: 'transit',
    account,
    sourceChainId: chainId,
    offerAsset: token,
    offerAmount: amount,
    destinationChainId: want.chainId,
    wantAsset: want.address,
    receiver: account,
    minimumAmountOut: 1n,
  } as const
  return authorized(
    `${offer.symbol} on ${chainId}`,
    { intent, chainId, token },
    { permitData, approval },
  )
}

async function depositAddress(given: Given): Promise<Drawn> {
  const { causeway, random } = given
  const { words, name } = depositWords(given)
  const { chainId, vaultAddress, depositAsset: inputToken } = words
  const userDestinationAddress = userAt(random.integer(0, 9)).address
  const inputs = { chainId, vaultAddress, inputToken, userDestinationAddress }
  const address = await causeway.smartDeposits.register(inputs)
  const intent = { ...inputs, kind: 'depositAddress' } as const
  return { name: `address: ${name}`, check: (book) => checkDepositAddress(book, intent, address) }
}

const KINDS = [
  order,
  order,
  depositFrom,
  deposit,
  deposit,
  withdrawal,
  withdrawal,
  cancellation,
  depositAuthorization,
  withdrawAuthorization,
  orderAuthorization,
  depositAddress,
] as const

/** Drawn words of any place of the local world, and the answer of a real API for them. */
export function drawAnswer(given: Given): Promise<Drawn> {
  return given.random.pick(KINDS)(given)
}
