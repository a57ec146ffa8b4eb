import type { ChainClients } from './chainClients.ts'
import type { ReadStore } from './keptReads.ts'

/** The nodes that kept reads ask, and where their answers are kept. */
export type ChainReading = {
  chains: ChainClients
  store: ReadStore
}
