import { createQuotaStore } from '../../db/quotaStore.ts'
import { createQuotaLeases, type QuotaLeases } from '../../domain/limits/quotaLeases.ts'
import { WINDOW_SECONDS } from '../../domain/limits/rateLimits.ts'

/** Real quotas over a test's database; `stop` ends their connections. */
export function testQuotas() {
  const stores: ReturnType<typeof createQuotaStore>[] = []
  return {
    leases(databaseUrl: string, windowSeconds = WINDOW_SECONDS): QuotaLeases {
      const store = createQuotaStore(databaseUrl, windowSeconds)
      stores.push(store)
      return createQuotaLeases(store, () => {})
    },
    stop: () => Promise.all(stores.map((store) => store.stop())),
  }
}
