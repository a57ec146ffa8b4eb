import type { Address } from 'viem'
import { attestDeposit } from '../earn/deposits/attestDeposit.ts'
import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'
import { AMPLE_AMOUNT, judgeDeposit, judgeSomeDeposit } from '../earn/deposits/judgeDeposit.ts'
import type { EarnDeployment } from '../earn/vaults/deployments.ts'
import { ceilDiv, lessSlippage } from '../earn/vaults/shareMath.ts'
import type { ServiceError } from '../error/serviceError.ts'
import { type Payment, readPaymentConditions } from '../smartDeposit/paymentReads.ts'
import type { JourneyContext } from './journeyContext.ts'
import { leastAmount } from './leastAmount.ts'

/** A payment that is expected at a smart deposit address, and the error for each refusal. */
export type Arrival = {
  deployment: EarnDeployment
  payment: Omit<Payment, 'receivedAmount'>
  refuse: (refusal: DepositRefusal) => ServiceError
}

/** The vault's answer to the payment, if it arrived now. Shares are after all fees. */
export type ArrivalPreview = {
  shares: bigint
  minimumShares: bigint
  fee: { amount: bigint; asset: Address }
  rateInBase: bigint
}

/** Judges an amount like the keeper will when it arrives. Throws the refusal, or `RPC_UNAVAILABLE`. */
export async function judgeArrival(
  context: JourneyContext,
  { deployment, payment, refuse }: Arrival,
  amount: bigint,
): Promise<ArrivalPreview> {
  const { inputToken: asset, address: sender, userDestinationAddress: to } = payment
  const read = await readPaymentConditions(context, deployment, {
    ...payment,
    receivedAmount: amount,
  })
  const verdict = judgeDeposit(deployment, { amount, to }, { ...read, isPayerBlocked: false })
  if (verdict.kind === 'refused') throw refuse(verdict.refusal)
  const minimumMint = lessSlippage(verdict.shares, context.settings.depositSlippageBps)
  const distributorCode = context.caller?.defaultDistributorCode ?? '0x'
  const { depositor, vault } = deployment
  const call = { depositor, asset, amount, to, distributorCode, minimumMint }
  const attested = await attestDeposit(context, { deployment, sender, call, kyt: read.kyt })
  if (attested.kind === 'refused') throw refuse(attested.refusal)
  const { shares, assetFee, shareFee } = verdict
  const fee = shareFee > 0n ? { amount: shareFee, asset: vault } : { amount: assetFee, asset }
  return { shares, minimumShares: minimumMint, fee, rateInBase: read.rateInBase }
}

/** The amount that gives at least these shares now. Throws like `judgeArrival`. */
export async function amountForShares(
  context: JourneyContext,
  { deployment, payment, refuse }: Arrival,
  shares: bigint,
): Promise<bigint> {
  const readFor = (receivedAmount: bigint) =>
    readPaymentConditions(context, deployment, { ...payment, receivedAmount })
  const read = await readFor(AMPLE_AMOUNT)
  const { rate, decimals, shareFeeBps } = read
  const to = payment.userDestinationAddress
  const verdict = judgeSomeDeposit(deployment, to, { ...read, isPayerBlocked: false })
  if (verdict.kind === 'refused') throw refuse(verdict.refusal)
  // A depositable asset has a rate.
  const minted = ceilDiv(shares * 10_000n, 10_000n - shareFeeBps)
  const net = ceilDiv(minted * (rate ?? 0n), 10n ** BigInt(decimals))
  const amount = await leastAmount(net, async (given) => (await readFor(given)).fee)
  if (amount === null) throw refuse({ because: 'FEE_MODULE_REFUSES' })
  return amount
}
