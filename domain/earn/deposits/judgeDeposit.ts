import type { Address } from 'viem'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { capInBase, measuredBy, remainingInBase } from '../vaults/depositorCap.ts'
import { ceilDiv, sharesFor } from '../vaults/shareMath.ts'
import type { DepositConditions } from './depositConditions.ts'
import type { DepositRefusal, DepositVerdict, Refused } from './depositVerdict.ts'

/** `amount` is in units of the asset; `to` receives the shares, and is null for anybody. */
type JudgedDeposit = { amount: bigint; to: Address | null }

/** Why a deployment takes no deposit of an asset, by the address book alone; null if it may take one. */
export function listedRefusal(
  { inDeprecation, assets }: Pick<EarnDeployment, 'inDeprecation' | 'assets'>,
  asset: Address,
): DepositRefusal | null {
  if (inDeprecation) return { because: 'VAULT_DEPRECATED' }
  const isListed = assets.some(({ address }) => address === asset)
  return isListed ? null : { because: 'ASSET_NOT_DEPOSITABLE' }
}

/** An amount that no fee takes and that mints shares, whatever the decimals. A depositor can still count with it. */
export const AMPLE_AMOUNT = 10n ** 30n

/**
 * Judges a deposit of an amount of the depositor's choice, by what was read for `AMPLE_AMOUNT`: refused only if every amount
 * is refused.
 */
export function judgeSomeDeposit(
  deployment: Pick<EarnDeployment, 'depositor'>,
  to: Address | null,
  read: DepositConditions,
): DepositVerdict {
  const ample = judgeDeposit(deployment, { amount: AMPLE_AMOUNT, to }, { ...read, cap: null })
  if (ample.kind === 'refused' || read.rate === null) return ample
  // Where a fee is taken from the shares, two base units are needed: one may be the fee.
  const net = ceilDiv((read.shareFeeBps === 0n ? 1n : 2n) * read.rate, 10n ** BigInt(read.decimals))
  return judgeDeposit(deployment, { amount: net, to }, { ...read, fee: 0n })
}

/** Judges a deposit by what was read of the chain. The first cause that applies is the one reported. */
export function judgeDeposit(
  { depositor }: Pick<EarnDeployment, 'depositor'>,
  { amount, to }: JudgedDeposit,
  read: DepositConditions,
): DepositVerdict {
  const { rate, decimals, fee } = read
  const isReceiverFrozen = to !== null && read.frozen.includes(to)
  if (read.isPayerBlocked) return refused({ because: 'PAYER_BLOCKED', isReceiverFrozen })
  if (isReceiverFrozen) return refused({ because: 'RECEIVER_FROZEN' })
  if (!read.mayDeposit) return refused({ because: 'CALLER_NOT_ALLOWED' })
  if (!read.isConnected) return refused({ because: 'VAULT_NOT_CONNECTED' })
  if (read.isTellerPaused) return refused({ because: 'TELLER_PAUSED' })
  if (read.isAccountantPaused) return refused({ because: 'ACCOUNTANT_PAUSED' })
  if (!read.depositable || !read.hasRateSource) return refused({ because: 'ASSET_NOT_DEPOSITABLE' })
  if (rate === null || rate === 0n) return refused({ because: 'NO_RATE' })
  if (read.frozen.includes(depositor)) return refused({ because: 'DEPOSITOR_FROZEN' })
  if (fee === null) return refused({ because: 'FEE_MODULE_REFUSES' })
  if (fee >= amount) return refused({ because: 'FEE_TAKES_ALL', fee })
  const minted = sharesFor(amount - fee, { rate, decimals })
  const shareFee = ceilDiv(minted * read.shareFeeBps, 10_000n)
  const shares = minted - shareFee
  if (shares <= 0n) return refused({ because: 'MINTS_NO_SHARES', fee })
  return capRefusal(read, minted) ?? { kind: 'depositable', shares, assetFee: fee, shareFee }
}

function capRefusal(
  { cap, totalSupply, rateInBase, decimals }: DepositConditions,
  minted: bigint,
): Refused | null {
  if (cap === null) return null
  const rate = { rate: rateInBase, decimals }
  if (measuredBy(cap, totalSupply + minted, rate) <= cap.amount) return null
  return refused({
    because: 'CAP_REACHED',
    remainingInBase: remainingInBase(cap, totalSupply, rate),
    supplyCapInBase: capInBase(cap, cap.amount, rate),
  })
}

function refused(refusal: DepositRefusal): Refused {
  return { kind: 'refused', refusal }
}
