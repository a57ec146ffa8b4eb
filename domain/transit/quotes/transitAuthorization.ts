import type { Address } from 'viem'
import { chainNotFound } from '../../chain/chainNotFound.ts'
import type { SharedServices } from '../../context.ts'
import { type FieldViolation, invalidFields } from '../../error/serviceError.ts'
import { checksummed } from '../../token/checksummed.ts'
import { type Authorization, detectAuthorization } from '../../token/detectAuthorization.ts'
import { refuseZero } from '../../token/refuseZero.ts'
import { stationOf, transitChains } from '../transitChains.ts'

export type TransitAuthorizationParams = {
  chainId: number
  tokenAddress: Address
  /** Base units. */
  amount: bigint
  userAddress: Address
  /** The chain's transit station, which is also the default. */
  spenderAddress?: Address | undefined
}

/**
 * The ways to authorize a chain's transit station to take an offer. Throws `CHAIN_NOT_FOUND`, and like
 * `detectAuthorization`.
 */
export async function transitAuthorization(
  context: Pick<SharedServices, 'chains' | 'addressBook' | 'settings'>,
  params: TransitAuthorizationParams,
): Promise<Authorization> {
  const violations = authorizationViolations(context, params)
  // Among other bad fields the chain is named with them.
  const unknown = chainNotFound(context.addressBook, params.chainId)
  if (unknown && violations.length === 1) throw unknown
  if (violations.length > 0) throw invalidFields(violations)
  const spenderAddress = stationOf(context.addressBook, params.chainId)
  if (!spenderAddress)
    throw new Error('Invariant(transitAuthorization): a checked chain has a station')
  return detectAuthorization(context, { ...params, spenderAddress })
}

/** The violations in the given parameters. */
export function authorizationViolations(
  context: Pick<SharedServices, 'addressBook'>,
  params: Partial<TransitAuthorizationParams>,
): FieldViolation[] {
  const { chainId, amount, userAddress, spenderAddress } = params
  const station = chainId === undefined ? undefined : stationOf(context.addressBook, chainId)
  const chains = transitChains(context.addressBook).map(({ chainId: id }) => id)
  return [
    ...(chainId !== undefined && station === undefined
      ? [{ field: 'chainId', description: `expected one of ${chains.join(', ')}` }]
      : []),
    ...refuseZero('amount', amount),
    ...refuseZero('userAddress', userAddress),
    ...(station !== undefined && spenderAddress !== undefined && spenderAddress !== station
      ? [
          {
            field: 'spenderAddress',
            description: `expected the chain's transit station ${checksummed(station)}`,
          },
        ]
      : []),
  ]
}
