import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'

const TRIES = 3
const PAUSE_MS = 100

/**
 * The same clients, with reads that are repeated when no node answers. Every read of the keeper can be
 * repeated: sending the same signed bytes twice is one transaction.
 */
export function retryingChains(chains: ChainClients): ChainClients {
  return {
    ...chains,
    ...retrying(chains),
    each: (chainId) => chains.each(chainId).map((node) => ({ ...node, ...retrying(node) })),
  }
}

function retrying(chains: Pick<ChainClients, 'read'>): Pick<ChainClients, 'read'> {
  return {
    async read(chainId, run) {
      for (let tries = 1; ; tries += 1)
        try {
          return await chains.read(chainId, run)
        } catch (error) {
          const isUnanswered = error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE'
          if (!isUnanswered || tries === TRIES) throw error
          await sleep(PAUSE_MS * tries)
        }
    },
  }
}
