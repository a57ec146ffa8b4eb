import { indexedChains } from '../../domain/addressBook/indexedChains.ts'
import type { AppServices } from '../../domain/appContext.ts'
import { blockedQueues } from '../../domain/earn/withdrawals/queueBlocks.ts'
import { listKeeperStates } from '../../domain/health/keeperStates.ts'
import { listChainStates } from '../../domain/index/chainStates.ts'
import { readStorage, type StorageLimits } from '../../domain/retention/storage.ts'
import { endpointLoads } from '../../domain/webhook/deliveryFigures.ts'
import { oldestJobSeconds } from '../../domain/webhook/deliveryJobs.ts'
import { deliveryQueueDepth } from '../../domain/webhook/operatorReads.ts'
import type { Logger } from '../logger.ts'
import { createMetrics } from './metrics.ts'
import { serveMetrics } from './serveMetrics.ts'

/** Serves the metrics of this process. Returns null if METRICS_PORT is not set. */
export async function startMetrics(
  context: Pick<AppServices, 'sql' | 'chains' | 'addressBook' | 'queueBlocks'>,
  {
    METRICS_HOST: host,
    METRICS_PORT: port,
    storage,
  }: { METRICS_HOST: string; METRICS_PORT?: number | undefined; storage?: StorageLimits },
  logger: Logger,
): Promise<{ url: string; stop(): Promise<void> } | null> {
  if (port === undefined) return null
  const chainIds = indexedChains(context.addressBook).map(({ id }) => id)
  // A chain whose nodes are silent has no head here, and its index is shown all the same.
  const headOf = (chainId: number) => context.chains.recentHead(chainId).catch(() => null)
  const noneOf = (what: string) => (error: unknown) => {
    logger.warn({ err: error }, `metrics lack the ${what}`)
    return []
  }
  const readQueues = async () => {
    const depths = await deliveryQueueDepth(context.sql)
    return depths.map((depth) => ({ kind: 'webhook', ...depth }))
  }
  const readBlockedVaults = async () => {
    const blocked = await blockedQueues(context)
    return blocked.map(({ deployment }) => deployment)
  }
  const metrics = createMetrics(chainIds, {
    readIndex: () => listChainStates(context, chainIds, headOf).catch(noneOf('index')),
    readQueues: () => readQueues().catch(noneOf('queues')),
    readJobWait: () =>
      oldestJobSeconds(context.sql).catch((error: unknown) => {
        noneOf('wait of jobs')(error)
        return null
      }),
    readBlockedVaults: () => readBlockedVaults().catch(noneOf('blocked vaults')),
    readEndpoints: () => endpointLoads(context.sql).catch(noneOf('webhook endpoints')),
    readStorage: async () =>
      storage ? readStorage(context.sql, storage).then((one) => [one], noneOf('storage')) : [],
    readKeepers: () => listKeeperStates(context).catch(noneOf('keepers')),
  })
  const served = await serveMetrics(metrics.registry, { host, port, logger })
  return {
    url: served.url,
    async stop() {
      metrics.stop()
      await served.stop()
    },
  }
}
