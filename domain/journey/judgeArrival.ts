import type { Address } from 'viem'
import { findChain } from '../chain/findChain.ts'
import { attestDeposit } from '../earn/deposits/attestDeposit.ts'
import {
  type DepositConditions,
  readDepositConditions,
} from '../earn/deposits/depositConditions.ts'
import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'
import { judgeDeposit } from '../earn/deposits/judgeDeposit.ts'
import type { EarnDeployment } from '../earn/vaults/deployments.ts'
import { assetsFor, ceilDiv, lessSlippage } from '../earn/vaults/shareMath.ts'
import type { ServiceError } from '../error/serviceError.ts'
import { screenDestination } from '../smartDeposit/screenDestination.ts'
import type { JourneyContext } from './journeyContext.ts'

/** What arrives at a smart deposit address, as its keeper will find it. */
export type Arrival = {
  deployment: EarnDeployment
  asset: Address
  smartDepositAddress: Address
  /** Gets the shares. */
  to: Address
}

/** What the vault would do with it now. Shares after all fees. */
export type ArrivalPreview = {
  shares: bigint
  minimumShares: bigint
  fee: { amount: bigint; asset: Address }
  rateInBase: bigint
}

/** The rounds in which the amount for some shares is found: a fee depends on its amount. */
const MOST_ROUNDS = 4

/** Judges an amount like the keeper will when it arrives. Throws `refuse` of the vault's refusal, or `RPC_UNAVAILABLE`. */
export async function judgeArrival(
  context: JourneyContext,
  arrival: Arrival,
  { amount, refuse }: { amount: bigint; refuse: (refusal: DepositRefusal) => ServiceError },
): Promise<ArrivalPreview> {
  const { deployment, asset, smartDepositAddress: sender, to } = arrival
  const read = await readFor(context, arrival, amount)
  const verdict = judgeDeposit(deployment, { amount, to }, { ...read, isPayerBlocked: false })
  if (verdict.kind === 'refused') throw refuse(verdict.refusal)
  const minimumShares = lessSlippage(verdict.shares, context.settings.depositSlippageBps)
  const distributorCode = context.caller?.defaultDistributorCode ?? '0x'
  const attested = await attestDeposit(context, {
    deployment,
    sender,
    call: {
      depositor: deployment.depositor,
      asset,
      amount,
      to,
      distributorCode,
      minimumMint: minimumShares,
    },
    kyt: read.kyt,
  })
  if (attested.kind === 'refused') throw refuse(attested.refusal)
  const { shares, assetFee, shareFee } = verdict
  const fee =
    shareFee > 0n ? { amount: shareFee, asset: deployment.vault } : { amount: assetFee, asset }
  return { shares, minimumShares, fee, rateInBase: read.rateInBase }
}

/** The least amount that gives these shares now. Throws like `judgeArrival`. */
export async function amountForShares(
  context: JourneyContext,
  arrival: Arrival,
  { shares, refuse }: { shares: bigint; refuse: (refusal: DepositRefusal) => ServiceError },
): Promise<bigint> {
  let amount = 1n
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const read = await readFor(context, arrival, amount)
    const needed = neededFor(shares, read)
    // Without a rate or a fee there is no amount, and the vault says why.
    if (needed === null) {
      const verdict = judgeDeposit(
        arrival.deployment,
        { amount, to: arrival.to },
        { ...read, isPayerBlocked: false },
      )
      if (verdict.kind === 'refused') throw refuse(verdict.refusal)
      throw new Error('Invariant(amountForShares): a vault without a rate refuses')
    }
    if (needed <= amount) return amount
    amount = needed
  }
  return amount
}

function neededFor(
  shares: bigint,
  { rate, decimals, fee, shareFeeBps }: DepositConditions,
): bigint | null {
  if (rate === null || rate === 0n || fee === null) return null
  const minted = ceilDiv(shares * 10_000n, 10_000n - shareFeeBps)
  return assetsFor(minted, { rate, decimals }) + 1n + fee
}

/** Why the account may not hold what arrives: its payment would go to the recovery wallet. Null if it may, or if nobody can say. */
export async function screenArrival(
  { addressBook, chains }: JourneyContext,
  { deployment: { chainId }, asset: token, to: destination }: Arrival,
): Promise<'sanctioned' | 'blocked' | null> {
  const { sanctionsOracle = null } = findChain(addressBook, chainId)
  const found = await chains.read(chainId, (client) =>
    screenDestination(client, { destination, token, sanctionsOracle }),
  )
  return found === 'unknown' ? null : found
}

function readFor(
  { addressBook, chains, knownAddresses: known }: JourneyContext,
  { deployment, asset, smartDepositAddress: sender, to }: Arrival,
  amount: bigint,
): Promise<DepositConditions> {
  const { chainId } = deployment
  const chain = findChain(addressBook, chainId)
  return chains.read(chainId, (client) =>
    readDepositConditions(
      client,
      { chain, deployment, known },
      { asset, amount, sender, to, withPermit: false },
    ),
  )
}
