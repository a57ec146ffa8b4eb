import { setTimeout as sleep } from 'node:timers/promises'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'

const TRIES = 3
const PAUSE_MS = 100

/**
 * The same chains for who is not waited for: what a node does not answer is asked again. Only for what
 * may be asked twice, which goes for all that the keeper asks: the same signed bytes are one transaction.
 */
export function retryingChains(chains: ChainClients): ChainClients {
  return {
    ...chains,
    async read(chainId, run) {
      for (let tries = 1; ; tries += 1)
        try {
          return await chains.read(chainId, run)
        } catch (error) {
          const isOfNodes = error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE'
          if (!isOfNodes || tries === TRIES) throw error
          await sleep(PAUSE_MS * tries)
        }
    },
  }
}
