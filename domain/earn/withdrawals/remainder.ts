import type { ShareRemainder } from '../../call/preparedCall.ts'
import { refusedField } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { isAtOnce } from './assetsAtOnce.ts'
import { queuePayout } from './queuePayout.ts'
import type { WithdrawalConditions } from './withdrawalConditions.ts'
import type { WithdrawParams } from './withdrawParams.ts'

/** The sender's shares after a withdrawal, and whether the same asset can be withdrawn for them alone. */
export function remainderOf(
  { shareAmount }: Pick<WithdrawParams, 'shareAmount'>,
  read: WithdrawalConditions,
): ShareRemainder {
  const { shareBalance, minimumOrderSize } = read
  const shares = shareBalance > shareAmount ? shareBalance - shareAmount : 0n
  const isLarge = shares > 0n && shares >= minimumOrderSize
  return { shares, isWithdrawable: isLarge && isPaid(shares, read) }
}

/** Whether the vault would pay something for shares, as far as its rate is known. */
function isPaid(shares: bigint, read: WithdrawalConditions): boolean {
  if (read.terms === null) return true
  const fee = isAtOnce(read) ? { bps: 0n, flat: 0n } : read.terms.fee
  return (queuePayout(shares, { ...read.terms, fee }) ?? 0n) > 0n
}

/** Throws `REMAINDER_TOO_SMALL` for a remainder that could not be withdrawn, if the caller wants that. */
export function refuseSmallRemainder(
  { vault }: EarnDeployment,
  { refuseSmallRemainder: isRefused }: Pick<WithdrawParams, 'refuseSmallRemainder'>,
  { remainder, minimumOrderSize }: { remainder: ShareRemainder; minimumOrderSize: bigint },
): void {
  const { shares, isWithdrawable } = remainder
  if (!isRefused || shares === 0n || isWithdrawable) return
  throw refusedField('REMAINDER_TOO_SMALL', {
    field: 'shareAmount',
    description: `leaves ${shares} base units of the share token, which cannot be withdrawn alone`,
    message: `the withdrawal leaves ${shares} base units of the share token, which cannot be withdrawn alone`,
    metadata: {
      remainder: String(shares),
      minOrderSize: String(minimumOrderSize),
      asset: checksummed(vault),
    },
  })
}
