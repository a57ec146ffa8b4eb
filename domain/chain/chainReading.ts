import type { ReadStore } from '../cache/keptReads.ts'
import type { ChainClients } from './chainClients.ts'

/** The nodes that kept reads ask, and where their answers are kept. */
export type ChainReading = {
  chains: ChainClients
  store: ReadStore
}
