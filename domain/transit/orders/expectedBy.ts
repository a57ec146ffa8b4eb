import { findRoute } from '../routes/resolvedRoutes.ts'
import type { TransitContext } from '../transitContext.ts'
import type { TransitOrder } from './transitOrder.ts'

/** The time up to which nine of ten orders like this one are wholly paid; null for one that is not open. */
export async function expectedBy(
  { addressBook, routeLatencies }: Pick<TransitContext, 'addressBook' | 'routeLatencies'>,
  order: TransitOrder,
): Promise<Date | null> {
  if (order.status === 'PROCESSED' || order.status === 'REMOVED') return null
  const resolved = findRoute(addressBook, order)
  if (!resolved) return null
  const seconds = await routeLatencies.expectedBy(resolved, order.createdAt.getTime() / 1_000)
  return seconds === null ? null : new Date(seconds * 1_000)
}
