import { countedCache } from '../domain/cache/countedCache.ts'
import type { NodeFailure } from '../domain/chain/rpcNode.ts'
import type { Logger } from './logger.ts'

const SILENCE_MS = 60_000

/** Logs the failures of nodes, each cause of a node at most once a minute. A node of another chain is an error. */
export function createNodeFailureLog(logger: Logger) {
  const logged = countedCache<string, true>('node_failures', { max: 1_000, ttl: SILENCE_MS })
  return (chainId: number, { isOtherChain, ...failure }: NodeFailure) => {
    const key = `${chainId} ${failure.host} ${failure.cause}`
    if (logged.has(key)) return
    logged.set(key, true)
    if (isOtherChain)
      logger.error(
        { chainId, ...failure },
        `RPC_URL_${chainId}: a node of another chain is not used`,
      )
    else logger.warn({ chainId, ...failure }, 'node failed')
  }
}
