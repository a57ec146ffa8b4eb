import type { Hex } from 'viem'
import { requirePermission } from '../access/requirePermission.ts'
import type { RequestScope } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'
import { getTransitOrder } from '../transit/orders/getTransitOrder.ts'
import type { Journey } from './journey.ts'
import type { JourneyContext } from './journeyContext.ts'
import type { JourneyPlaceId } from './journeyWatch.ts'
import { readJourney } from './readJourneys.ts'

/** The id of a journey together with the caller's organization. */
export function journeyOfCaller({ caller }: Pick<RequestScope, 'caller'>, id: Hex): JourneyPlaceId {
  return `${requirePermission(caller, 'smart-deposits').organizationId}/${id}`
}

/**
 * One journey by the id of its order. Throws `JOURNEY_NOT_FOUND` for an order that does not exist, or that does not pay to a
 * smart deposit address of the caller's organization, and else like `getTransitOrder`.
 */
export async function getJourney(context: JourneyContext, id: Hex): Promise<Journey> {
  const { organizationId } = requirePermission(context.caller, 'smart-deposits')
  const order = await getTransitOrder(context, id).catch((error: unknown) => {
    if (error instanceof ServiceError && error.reason === 'ORDER_NOT_FOUND') return undefined
    throw error
  })
  const journey = order && (await readJourney(context, organizationId, order))
  if (journey) return journey
  throw new ServiceError('JOURNEY_NOT_FOUND', `Your organization has no journey ${id}`)
}
