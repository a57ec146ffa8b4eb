import { indexedChains } from '../../domain/addressBook/indexedChains.ts'
import type { ChildSpec } from './children.ts'
import { indexGroups } from './plan.ts'
import type { ProductOptions } from './product.ts'
import type { Surroundings } from './surroundings.ts'

const STOP_MS = { api: 4_000, indexer: 5_000, bots: 1_500 }

/** Our own processes over these surroundings: indexers, the api, and the local world's bots. */
export function childSpecs(
  { environment }: ProductOptions,
  surroundings: Surroundings,
  appSecret: string,
): ChildSpec[] {
  const shared = {
    ...surroundings.variables,
    DATABASE_URL: surroundings.databaseUrl,
    ADDRESS_BOOK: surroundings.addressBookPath,
    LOG_LEVEL: environment.LOG_LEVEL,
  }
  const groups = indexGroups(indexedChains(surroundings.addressBook), environment.INDEX_GROUPS)
  const indexers = groups.map((group) => ({
    name: `indexer-${group.join('-')}`,
    entry: 'processes/indexer.ts',
    environment: {
      ...shared,
      INDEX_CHAINS: group.join(','),
      INDEX_POLL_MS: String(environment.INDEX_POLL_MS),
    },
    stopMs: STOP_MS.indexer,
  }))
  const api = {
    name: 'api',
    entry: 'processes/api.ts',
    environment: {
      ...shared,
      APP_SECRET: appSecret,
      API_HOST: environment.API_HOST,
      API_PORT: String(environment.API_PORT),
      DRAIN_SECONDS: String(environment.DRAIN_SECONDS),
      HEALTH_MAX_LAG_SECONDS: String(environment.HEALTH_MAX_LAG_SECONDS),
    },
    stopMs: STOP_MS.api + environment.DRAIN_SECONDS * 1_000,
  }
  const bots = { name: 'bots', entry: 'devnet/bots.ts', environment: shared, stopMs: STOP_MS.bots }
  return [...indexers, api, ...(surroundings.nodes ? [bots] : [])]
}
