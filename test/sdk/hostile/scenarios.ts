import type { Address, Hex } from 'viem'
import { userAt } from '../../../devnet/accounts.ts'
import type { CausewayClient } from '../../../sdk/src/createCausewayClient.ts'
import type { OpenBook } from '../../../sdk/src/shield/book.ts'
import type { CallToCheck, CheckOptions, SignedPermit } from '../../../sdk/src/shield/checks.ts'
import type { Intent } from '../../../sdk/src/shield/intent.ts'
import type { SeededRandom } from '../../support/seededRandom.ts'
import { AT_ONCE, type PlacedVault, type Places, some, WAITING } from './places.ts'

/** The user's words, and the real answer of the API for them. */
export type Scenario = { intent: Intent; call: CallToCheck; options: CheckOptions }

/** A drawn answer: a call, or something else with its check. */
export type Drawn = { name: string } & (
  | { scenario: Scenario }
  | { check: (book: OpenBook) => unknown }
)

export type Given = { causeway: CausewayClient; random: SeededRandom; places: Places }

/** From 20 to 2,000 units of a token, with any digits. */
export function amountOf(random: SeededRandom, { decimals }: { decimals: number }): bigint {
  const millionths = BigInt(random.integer(20_000_000, 2_000_000_000))
  const below = 10n ** BigInt(decimals - 6)
  return millionths * below + (BigInt(random.hex(8)) % below)
}

function permitOf(random: SeededRandom): SignedPermit | undefined {
  if (random.chance(0.5)) return undefined
  const permitSignature: Hex = `${random.hex(64)}${random.pick(['1b', '1c', '00', '01'])}`
  return { permitSignature, permitDeadline: BigInt(Math.floor(Date.now() / 1_000) + 600) }
}

/** One of the user's own addresses, or any other one. */
function receiverOf(random: SeededRandom, account: Address): Address {
  return random.chance(0.5) ? account : random.hex(20)
}

export async function order({ causeway, random, places }: Given): Promise<Drawn> {
  const { offer, want } = random.pick(places.routes)
  const permit = permitOf(random)
  const words = {
    sourceChainId: offer.chainId,
    offerAsset: offer.address,
    destinationChainId: want.chainId,
    wantAsset: want.address,
    ...(random.chance(0.3)
      ? { integratorFee: 10n ** BigInt(offer.decimals - 3), integratorFeeReceiver: random.hex(20) }
      : {}),
    offerAmount: amountOf(random, offer),
  }
  const [receiver, account] = [random.hex(20), userAt(0).address]
  const asked = { ...words, ...permit, userAddress: receiver, payerAddress: account }
  const { amountOut, orderId, transaction } = await causeway.transit.quote(asked)
  return {
    name: `order of ${offer.symbol} on ${offer.chainId} for ${want.symbol} on ${want.chainId}`,
    scenario: {
      intent: { ...words, kind: 'transit', account, receiver, minimumAmountOut: amountOut },
      call: { ...transaction, chainId: offer.chainId },
      options: { orderId, permit },
    },
  }
}

export async function depositFrom({ causeway, random, places }: Given): Promise<Drawn> {
  const { offer, want, vault } = random.pick(some(journeysOf(places)))
  const account = userAt(5).address
  const to = receiverOf(random, account)
  const { chainId, address: vaultAddress } = vault
  const place = { chainId, vaultAddress, depositAsset: want.address }
  const offerAmount = amountOf(random, offer)
  const { transaction, journey } = await causeway.earn.prepareDeposit({
    ...place,
    sourceChainId: offer.chainId,
    sourceAsset: offer.address,
    depositAmount: offerAmount,
    userAddress: account,
    to,
  })
  if (!journey) throw new Error('no journey')
  const { id: orderId, amountOut: minimumAmountOut } = journey
  const from = { chainId: offer.chainId, asset: offer.address }
  return {
    name: `deposit of ${offer.symbol} on ${offer.chainId} as ${want.symbol} into ${vaultAddress}`,
    scenario: {
      intent: { ...place, kind: 'depositFrom', account, from, offerAmount, to, minimumAmountOut },
      call: { ...transaction, chainId: offer.chainId },
      options: { orderId },
    },
  }
}

/** The routes that end at an asset of a vault. */
function journeysOf({ routes, vaults }: Places) {
  return routes.flatMap(({ offer, want }) =>
    vaults
      .filter(({ depositable }) => depositable.some((one) => isSameToken(one, want)))
      .map((vault) => ({ offer, want, vault })),
  )
}

type Token = { chainId: number; address: Address }
const isSameToken = (left: Token, right: Token) =>
  left.chainId === right.chainId && left.address === right.address

function openVault({ random, places }: Given): PlacedVault {
  return random.pick(some(places.vaults.filter(({ depositable }) => depositable.length > 0)))
}

/** The words of a deposit on the vault's own chain. */
export function depositWords(given: Given) {
  const { random } = given
  const { chainId, address: vaultAddress, depositable } = openVault(given)
  const asset = random.pick(some(depositable))
  const depositAmount = amountOf(random, asset)
  const words = { chainId, vaultAddress, depositAsset: asset.address, depositAmount }
  return { words, name: `${asset.symbol} into ${vaultAddress} on ${chainId}` }
}

export async function deposit(given: Given): Promise<Drawn> {
  const { causeway, random } = given
  const { words, name } = depositWords(given)
  const account = userAt(2).address
  const to = receiverOf(random, account)
  const permit = permitOf(random)
  const asked = { ...words, ...permit, userAddress: account, to }
  const { transaction } = await causeway.earn.prepareDeposit(asked)
  return {
    name: `deposit of ${name}`,
    scenario: {
      intent: { ...words, kind: 'deposit', account, to },
      call: { ...transaction, chainId: words.chainId },
      options: { permit },
    },
  }
}

export function withdrawWords({ random, places }: Given) {
  const { chainId, address: vaultAddress, assets, ...vault } = random.pick(places.vaults)
  const asset = random.pick(assets)
  const most = vault.shares - vault.minimumOrderSize
  const shareAmount = vault.minimumOrderSize + (BigInt(random.hex(16)) % most)
  const words = { chainId, vaultAddress, wantAsset: asset.address, shareAmount }
  return { words, name: `shares of ${vaultAddress} on ${chainId} for ${asset.symbol}` }
}

export async function withdrawal(given: Given): Promise<Drawn> {
  const { causeway, random } = given
  const { words, name } = withdrawWords(given)
  const account = random.pick([WAITING.address, AT_ONCE.address])
  const receiver = receiverOf(random, account)
  const refundReceiver = receiverOf(random, account)
  const permit = permitOf(random)
  const { transaction } = await causeway.earn.prepareWithdrawal({
    ...words,
    ...permit,
    userAddress: account,
    receiver,
    refundReceiver,
  })
  return {
    name: `withdrawal of ${name} by ${account}`,
    scenario: {
      intent: { ...words, kind: 'withdraw', account, receiver, refundReceiver },
      call: { ...transaction, chainId: words.chainId },
      options: { permit },
    },
  }
}

export async function cancellation({ causeway, random, places }: Given): Promise<Drawn> {
  const { chainId, address: vaultAddress, requestId } = random.pick(places.vaults)
  const words = { chainId, vaultAddress, requestId }
  const { transaction } = await causeway.earn.prepareCancellation(words)
  return {
    name: `cancellation of ${requestId}`,
    scenario: {
      intent: { ...words, kind: 'cancel', account: WAITING.address },
      call: { ...transaction, chainId },
      options: {},
    },
  }
}
