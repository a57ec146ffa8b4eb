import { indexedChains } from '../../domain/addressBook/indexedChains.ts'
import type { AppServices } from '../../domain/appContext.ts'
import { blockedQueues } from '../../domain/earn/withdrawals/queueBlocks.ts'
import { listKeeperStates } from '../../domain/health/keeperStates.ts'
import { listChainStates } from '../../domain/index/chainStates.ts'
import { within } from '../../domain/loop/within.ts'
import { readStorage, type StorageLimits } from '../../domain/retention/storage.ts'
import { endpointLoads } from '../../domain/webhook/deliveryFigures.ts'
import { oldestJobSeconds } from '../../domain/webhook/deliveryJobs.ts'
import { deliveryQueueDepth } from '../../domain/webhook/operatorReads.ts'
import type { Logger } from '../logger.ts'
import { boundedRead } from './boundedRead.ts'
import { createMetrics } from './metrics.ts'
import { serveMetrics } from './serveMetrics.ts'

/** A chain whose nodes take longer is shown without a head. */
const HEAD_MS = 2_000

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
  const headOf = (chainId: number) =>
    within(HEAD_MS, context.chains.recentHead(chainId)).catch(() => null)
  const noneOf = (what: string) => (error: unknown) => {
    logger.warn({ err: error }, `metrics lack the ${what}`)
    return []
  }
  const readIndex = boundedRead(() => listChainStates(context, chainIds, headOf))
  const readQueues = boundedRead(async () => {
    const depths = await deliveryQueueDepth(context.sql)
    return depths.map((depth) => ({ kind: 'webhook', ...depth }))
  })
  const readJobWait = boundedRead(() => oldestJobSeconds(context.sql))
  const readBlockedVaults = boundedRead(async () => {
    const blocked = await blockedQueues(context)
    return blocked.map(({ deployment }) => deployment)
  })
  const readEndpoints = boundedRead(() => endpointLoads(context.sql))
  const readAllStorage = boundedRead(async () =>
    storage ? [await readStorage(context.sql, storage)] : [],
  )
  const readKeepers = boundedRead(() => listKeeperStates(context))
  const metrics = createMetrics(chainIds, {
    readIndex: () => readIndex().catch(noneOf('index')),
    readQueues: () => readQueues().catch(noneOf('queues')),
    readJobWait: () =>
      readJobWait().catch((error: unknown) => {
        noneOf('wait of jobs')(error)
        return null
      }),
    readBlockedVaults: () => readBlockedVaults().catch(noneOf('blocked vaults')),
    readEndpoints: () => readEndpoints().catch(noneOf('webhook endpoints')),
    readStorage: () => readAllStorage().catch(noneOf('storage')),
    readKeepers: () => readKeepers().catch(noneOf('keepers')),
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
