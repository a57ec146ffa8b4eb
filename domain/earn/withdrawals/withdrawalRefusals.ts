import { refusedField, type ServiceError } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import type { EarnDeployment } from '../vaults/deployments.ts'
import { assetsFor } from '../vaults/shareMath.ts'
import { leastPaidShares, type QueueTerms, queueFee } from './queuePayout.ts'
import type { WithdrawalConditions } from './withdrawalConditions.ts'
import type { WithdrawParams } from './withdrawParams.ts'

type Amount = Pick<WithdrawParams, 'shareAmount'>

export function refuseBelowMinimum(
  { vault }: EarnDeployment,
  { shareAmount }: Amount,
  { minimumOrderSize }: WithdrawalConditions,
) {
  if (shareAmount >= minimumOrderSize) return
  const description = `at least ${minimumOrderSize} base units of the share token`
  throw refusedField('BELOW_MIN_ORDER_SIZE', {
    field: 'shareAmount',
    description,
    message: `the withdrawal is below the minimum of ${minimumOrderSize} base units of the share token`,
    metadata: { minOrderSize: String(minimumOrderSize), asset: checksummed(vault) },
  })
}

/**
 * Refuses a request that the queue would refund, because its fee takes everything, and one that the queue
 * can never pay, because less than one base unit is left: that one would hold up every request behind it.
 */
export function refuseUnpayable(
  { vault }: EarnDeployment,
  { shareAmount }: Amount,
  { requestFee, terms, minimumOrderSize }: WithdrawalConditions,
) {
  const fee = requestFee ?? (terms && queueFee(shareAmount, terms))
  if (fee === null) return
  const refuse = (description: string) =>
    tooSmall(description, { fee, least: leastOf(terms, minimumOrderSize), vault })
  if (fee >= shareAmount)
    throw refuse("the queue's fee would take all of the shares, and the request would be refunded")
  if (terms && paysNone(shareAmount - fee, terms))
    throw refuse("after the queue's fee it is worth less than one base unit of the asset")
}

/** The refusal of a withdrawal at once, which has no fee, whose shares are worth less than one base unit. */
export function paysNothing(
  { vault }: EarnDeployment,
  { terms, minimumOrderSize }: WithdrawalConditions,
): ServiceError {
  const free = terms && { ...terms, fee: { bps: 0n, flat: 0n } }
  const least = leastOf(free, minimumOrderSize)
  return tooSmall('it is worth less than one base unit of the asset', { fee: 0n, least, vault })
}

function paysNone(shares: bigint, { rateInQuote: rate, decimals }: QueueTerms): boolean {
  return assetsFor(shares, { rate, decimals }) === 0n
}

/** The fewest shares that are accepted and paid now; null if that is not known. */
function leastOf(terms: QueueTerms | null, minimumOrderSize: bigint): bigint | null {
  const paid = terms && leastPaidShares(terms)
  return paid === null || paid > minimumOrderSize ? paid : minimumOrderSize
}

type TooSmall = { fee: bigint; least: bigint | null; vault: EarnDeployment['vault'] }

function tooSmall(why: string, { fee, least, vault }: TooSmall) {
  const description =
    least === null ? why : `${why}. At least ${least} base units of the share token are needed now`
  const minimum = least === null ? {} : { minOrderSize: String(least), asset: checksummed(vault) }
  return refusedField('WITHDRAWAL_TOO_SMALL', {
    field: 'shareAmount',
    description,
    message: `the withdrawal is too small: ${description}`,
    metadata: { fee: String(fee), ...minimum },
  })
}

export function refusedReceipt(receiver: `0x${string}`) {
  const description = "this contract does not accept the queue's receipt (onERC721Received)"
  return refusedField('RECEIVER_REFUSES_RECEIPT', {
    field: 'receiver',
    description,
    message: `the receiver is a contract that does not accept the queue's receipt`,
    metadata: { receiver: checksummed(receiver) },
  })
}
