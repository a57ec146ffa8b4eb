import type { Address } from 'viem'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { MIN_ORDER_UNITS, PLANNED_ROUTES, PLANNED_TOKENS } from '../../devnet/plan.ts'
import { lower } from '../support/lower.ts'
import type { PaidPlace } from './paymentPlaces.ts'

/**
 * How a payment ends: in the vault as it came, or over an order; sent back or to the recovery wallet; at its address because nobody takes
 * the token, or because it is less than the minimum; or as a transfer that is no deposit.
 */
export type PaymentEnd =
  | 'deposited'
  | 'converted'
  | 'refunded'
  | 'recovered'
  | 'notAccepted'
  | 'small'
  | 'foreign'

/** A token on a chain. Addresses are lower case. */
export type Way = { chainId: number; token: Address }

/** In hundredths of a whole unit: the cost of an execution is below, so the route takes this much at any time. */
const SURELY_TAKEN_CENTS = 15_000n
/** In hundredths of a whole unit, as the local address book has it. */
const MINIMUM_CENTS = 1n

/** The ways of the plan by which payments in other tokens or on other chains reach the vault. */
export function routesTo({ chainId, token }: PaidPlace): Way[] {
  return PLANNED_ROUTES.flatMap(([source, destination, offer, want]): Way[] => {
    if (destination !== chainId || lower(DEPLOYMENT.tokens[want]) !== token) return []
    const way = { chainId: source, token: lower(DEPLOYMENT.tokens[offer]) }
    return way.chainId === chainId && way.token === token ? [] : [way]
  })
}

export function isDirect({ chainId, token, place }: Way & { place: PaidPlace }): boolean {
  return chainId === place.chainId && token === place.token
}

/** One whole unit of a listed token, in base units. */
export function unitsOf(token: Address): bigint {
  return 10n ** BigInt(planned(token)?.decimals ?? 0)
}

/** The ends that a payment may have. */
export function endsOf(payment: Way & { amount: bigint; place: PaidPlace }): PaymentEnd[] {
  const { chainId, token, amount, place } = payment
  if (!planned(token)) return ['notAccepted', 'foreign']
  const unit = unitsOf(token)
  if (isDirect(payment)) {
    return amount < minimumOf(token) ? ['small', place.end] : [place.end]
  }
  const hasRoute = routesTo(place).some((way) => way.chainId === chainId && way.token === token)
  if (!hasRoute || amount < unit * BigInt(MIN_ORDER_UNITS)) return ['notAccepted']
  const taken = place.end === 'deposited' ? 'converted' : place.end
  return amount < (unit * SURELY_TAKEN_CENTS) / 100n ? ['notAccepted', taken] : [taken]
}

/** Smaller payments of the accepted token wait for others. */
export function minimumOf(token: Address): bigint {
  return (unitsOf(token) * MINIMUM_CENTS) / 100n
}

function planned(token: Address) {
  return PLANNED_TOKENS.find(({ symbol }) => lower(DEPLOYMENT.tokens[symbol]) === token)
}
