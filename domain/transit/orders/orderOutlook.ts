import type { Address } from 'viem'
import { unlessUnavailable } from '../../error/unlessUnavailable.ts'
import { within } from '../../loop/within.ts'
import { findRoute, type ResolvedRoute } from '../routes/resolvedRoutes.ts'
import type { TransitContext } from '../transitContext.ts'
import type { TransitOrder } from './transitOrder.ts'

/** Why an order cannot be paid now. `account` is the one that is blocked. */
export type OrderBlock = {
  reason: 'ACCOUNT_FROZEN' | 'TOKEN_PAUSED' | 'STATION_PAUSED' | 'STATION_NOT_CONNECTED'
  account: Address | null
}

/** When an open order will be paid, or why it cannot be. Both are null if nothing is known. */
export type OrderOutlook = {
  /** The time up to which nine of ten orders like this one are wholly paid. */
  expectedBy: Date | null
  blockedBy: OrderBlock | null
}

type OutlookContext = Pick<
  TransitContext,
  'addressBook' | 'routeLatencies' | 'stations' | 'tokenBlocks'
>

const NOTHING: OrderOutlook = { expectedBy: null, blockedBy: null }
/** A read of an order waits so long for a node; the answer is there for a later one. */
const WAIT_MS = 500

/** The outlook of an order. Only one that is late asks the destination, so that no usual read waits for a node. */
export async function orderOutlook(
  context: OutlookContext,
  order: TransitOrder,
): Promise<OrderOutlook> {
  if (order.status === 'PROCESSED' || order.status === 'REMOVED') return NOTHING
  const resolved = findRoute(context.addressBook, order)
  if (!resolved) return NOTHING
  const submittedAt = order.createdAt.getTime() / 1_000
  const seconds = await context.routeLatencies.expectedBy(resolved, submittedAt)
  const expectedBy = seconds === null ? null : new Date(seconds * 1_000)
  const isLate = expectedBy === null || expectedBy.getTime() < Date.now()
  const find = order.status === 'PROCESSING' ? findPaymentBlock : findMessageBlock
  const blockedBy = isLate ? await find(context, order, resolved) : null
  return { expectedBy: blockedBy ? null : expectedBy, blockedBy }
}

/** Why the destination cannot pay. Null also while its nodes are late or silent. */
async function findPaymentBlock(
  { stations, tokenBlocks }: OutlookContext,
  { receiver: account }: TransitOrder,
  { destination: { chainId }, wanted }: ResolvedRoute,
): Promise<OrderBlock | null> {
  const read = Promise.all([
    tokenBlocks.get({ chainId, token: wanted.address, account }),
    stations.receiving(chainId),
  ])
  const [issuer, receiving] = (await within(WAIT_MS, read.catch(unlessUnavailable))) ?? []
  if (issuer?.isBlocked) return { reason: 'ACCOUNT_FROZEN', account }
  if (issuer?.isPaused) return { reason: 'TOKEN_PAUSED', account: null }
  return receiving?.isPaused ? { reason: 'STATION_PAUSED', account: null } : null
}

/** Why the message of an order cannot arrive: the destination's station no longer takes messages of the source's. */
async function findMessageBlock(
  { stations }: OutlookContext,
  _: TransitOrder,
  { source, destination }: ResolvedRoute,
): Promise<OrderBlock | null> {
  if (source.eid === undefined) return null
  const read = stations.receiving(destination.chainId)
  const receiving = await within(WAIT_MS, read.catch(unlessUnavailable))
  if (!receiving || receiving.peers.get(source.eid) === source.station) return null
  return { reason: 'STATION_NOT_CONNECTED', account: null }
}
