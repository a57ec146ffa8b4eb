import type { ChainClients } from './chainClients.ts'
import type { Clock } from './sharedReads.ts'

/** The nodes that kept reads ask, and how long their answers may be used. */
export type ChainReading = {
  chains: ChainClients
  /** The greatest age of an answer that a list shows while a chain is late or silent. */
  maxStaleMs?: number | undefined
  clock?: Clock | undefined
}
