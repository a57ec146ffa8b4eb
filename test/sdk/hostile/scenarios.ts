import type { Address, Hex } from 'viem'
import { DEVNET_SOLVER, userAt } from '../../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../../devnet/deployment.ts'
import { vaultDeployment } from '../../../devnet/vaults/deployment.ts'
import type { CausewayClient } from '../../../sdk/src/createCausewayClient.ts'
import type { CallToCheck, CheckOptions, SignedPermit } from '../../../sdk/src/shield/checks.ts'
import type { Intent } from '../../../sdk/src/shield/intent.ts'
import type { SeededRandom } from '../../support/seededRandom.ts'

/** The user's words, and the real answer of the API for them. */
export type Scenario = { intent: Intent; call: CallToCheck; options: CheckOptions }

const { USDC, USDT, USDG } = DEPLOYMENT.tokens
type Route = readonly [number, Address, number, Address]
type Vault = readonly [vault: Address, assets: readonly [Address, ...Address[]]]

const ROUTES: readonly [Route, ...Route[]] = [
  [1, USDC, 4663, USDG],
  [4663, USDG, 1, USDC],
  [1, USDC, 1, USDG],
]
const VAULTS: readonly [Vault, ...Vault[]] = [
  [vaultDeployment('Harbor Dollar', 1).vault, [USDC, USDT, USDG]],
  // Of generation A, without fee and attestation.
  [vaultDeployment('Harbor Classic', 1).vault, [USDC, USDT]],
]
const [[dollar]] = VAULTS

type Given = { causeway: CausewayClient; random: SeededRandom; requestId: string }

/** Any amount of so many decimal digits. */
function amountOf(random: SeededRandom): bigint {
  return BigInt(random.integer(20_000_000, 2_000_000_000))
}

function permitOf(random: SeededRandom): SignedPermit | undefined {
  if (random.chance(0.5)) return undefined
  const permitSignature: Hex = `${random.hex(64)}${random.pick(['1b', '1c', '00', '01'])}`
  return { permitSignature, permitDeadline: BigInt(Math.floor(Date.now() / 1_000) + 600) }
}

async function order({ causeway, random }: Given): Promise<Scenario> {
  const [sourceChainId, offerAsset, destinationChainId, wantAsset] = random.pick(ROUTES)
  const permit = permitOf(random)
  const ends = { sourceChainId, offerAsset, destinationChainId, wantAsset }
  const fee = random.chance(0.3)
    ? { integratorFee: 7_000n, integratorFeeReceiver: random.hex(20) as Address }
    : {}
  const receiver = random.hex(20)
  const words = { ...ends, ...fee, offerAmount: amountOf(random) }
  const payer = userAt(0).address
  const quote = await causeway.transit.quote({
    ...words,
    ...permit,
    userAddress: receiver,
    payerAddress: payer,
  })
  return {
    intent: {
      ...words,
      kind: 'transit',
      account: payer,
      receiver,
      minimumAmountOut: quote.amountOut,
    },
    call: { ...quote.transaction, chainId: sourceChainId },
    options: { orderId: quote.orderId, permit },
  }
}

async function depositFrom({ causeway, random }: Given): Promise<Scenario> {
  const account = userAt(5).address
  const to = random.hex(20)
  const place = { chainId: 1, vaultAddress: dollar, depositAsset: USDC } as const
  const offerAmount = amountOf(random)
  const { transaction, journey } = await causeway.earn.prepareDeposit({
    ...place,
    sourceChainId: 4663,
    sourceAsset: USDG,
    depositAmount: offerAmount,
    userAddress: account,
    to,
  })
  if (!journey) throw new Error('no journey')
  const from = { chainId: 4663, asset: USDG }
  return {
    intent: {
      ...place,
      kind: 'depositFrom',
      account,
      from,
      offerAmount,
      to,
      minimumAmountOut: journey.amountOut,
    },
    call: { ...transaction, chainId: 4663 },
    options: { orderId: journey.id },
  }
}

async function deposit({ causeway, random }: Given): Promise<Scenario> {
  const [vaultAddress, assets] = random.pick(VAULTS)
  const depositAsset = random.pick(assets)
  const words = { chainId: 1, vaultAddress, depositAsset, depositAmount: amountOf(random) }
  const account = userAt(2).address
  const to = random.chance(0.5) ? account : random.hex(20)
  const permit = permitOf(random)
  const { transaction } = await causeway.earn.prepareDeposit({
    ...words,
    ...permit,
    userAddress: account,
    to,
  })
  return {
    intent: { ...words, kind: 'deposit', account, to },
    call: { ...transaction, chainId: 1 },
    options: { permit },
  }
}

async function withdrawal({ causeway, random }: Given): Promise<Scenario> {
  const account = random.chance(0.5) ? userAt(4).address : DEVNET_SOLVER.address
  const receiver = random.chance(0.5) ? account : random.hex(20)
  const refundReceiver = random.chance(0.5) ? account : random.hex(20)
  const words = {
    chainId: 1,
    vaultAddress: dollar,
    wantAsset: USDC,
    shareAmount: BigInt(random.integer(10_000_000, 300_000_000)),
  }
  const permit = permitOf(random)
  const { transaction } = await causeway.earn.prepareWithdrawal({
    ...words,
    ...permit,
    userAddress: account,
    receiver,
    refundReceiver,
  })
  return {
    intent: { ...words, kind: 'withdraw', account, receiver, refundReceiver },
    call: { ...transaction, chainId: 1 },
    options: { permit },
  }
}

async function cancellation({ causeway, requestId }: Given): Promise<Scenario> {
  const words = { chainId: 1, vaultAddress: dollar, requestId }
  const { transaction } = await causeway.earn.prepareCancellation(words)
  return {
    intent: { ...words, kind: 'cancel', account: userAt(4).address },
    call: { ...transaction, chainId: 1 },
    options: {},
  }
}

async function approval({ causeway, random }: Given): Promise<Scenario> {
  const account = userAt(8).address
  const depositAmount = amountOf(random)
  const words = { chainId: 1, vaultAddress: dollar, depositAsset: USDT, depositAmount }
  const { approvalTransaction } = await causeway.earn.authorization({
    chainId: 1,
    vaultAddress: dollar,
    tokenAddress: USDT,
    amount: depositAmount,
    userAddress: account,
    prefer: 'approval',
  })
  return {
    intent: { ...words, kind: 'deposit', account, to: account },
    call: { chainId: 1, to: USDT, value: 0n, data: approvalTransaction?.encoded },
    options: {},
  }
}

const KINDS = [
  order,
  order,
  depositFrom,
  deposit,
  deposit,
  withdrawal,
  approval,
  cancellation,
] as const

/** Drawn words, and the answer of a real API for them. */
export function drawScenario(given: Given): Promise<Scenario> {
  return given.random.pick(KINDS)(given)
}
