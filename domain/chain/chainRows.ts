import { type Known, oldestOf } from '../cache/keptReads.ts'
import type { RequestScope } from '../context.ts'
import { ServiceError } from '../error/serviceError.ts'

/** How current a row is. */
export type RowAge = {
  /** Whether the row shows an older state of its chain, because the chain's nodes are late or silent. */
  stale: boolean
  /** When the chain was read for the row; null if it needed no read. */
  asOf: Date | null
}

/** The age of a row that comes from the index alone. */
export const INDEXED: RowAge = { stale: false, asOf: null }

/** The age of a row that was made from these reads: that of the oldest. */
export function ageOfRow(...reads: Known<unknown>[]): RowAge & { asOf: Date } {
  const { isStale: stale, asOf } = oldestOf(...reads)
  return { stale, asOf }
}

/**
 * The last known state of a chain, for a list. Null if there is none: the answer then has an error that names
 * the chain. Throws every other error of the read.
 */
export async function knownFor<Value>(
  { degraded, lostChains }: Pick<RequestScope, 'degraded' | 'lostChains'>,
  chainId: number,
  read: Promise<Known<Value>>,
): Promise<Known<Value> | null> {
  try {
    const known = await read
    if (known.isStale) degraded.add(chainId)
    return known
  } catch (error) {
    if (loseChain({ lostChains }, error)) return null
    throw error
  }
}

/** The last known state of a chain, for a part of a row. Null while there is none: the chain is degraded. */
export async function knownOrNull<Value>(
  { degraded }: Pick<RequestScope, 'degraded'>,
  chainId: number,
  read: Promise<Known<Value>>,
): Promise<Known<Value> | null> {
  try {
    const known = await read
    if (known.isStale) degraded.add(chainId)
    return known
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    degraded.add(chainId)
    return null
  }
}

/** Notes the chain of an `RPC_UNAVAILABLE` as lost to the answer, once. False for every other error. */
export function loseChain(
  { lostChains }: Pick<RequestScope, 'lostChains'>,
  error: unknown,
): error is ServiceError {
  if (!(error instanceof ServiceError) || error.reason !== 'RPC_UNAVAILABLE') return false
  const { chainId } = error.metadata
  if (lostChains.every((lost) => lost.error.metadata.chainId !== chainId))
    lostChains.push({ error })
  return true
}
