import { createAllowanceStore } from '../../db/allowanceStore.ts'
import { createLeases, type Leases } from '../../domain/limits/leases.ts'
import { WINDOW_SECONDS } from '../../domain/limits/rateLimits.ts'

/** Real allowances over a test's database; `stop` ends their connections. */
export function testAllowances() {
  const stores: ReturnType<typeof createAllowanceStore>[] = []
  return {
    leases(databaseUrl: string): Leases {
      const store = createAllowanceStore(databaseUrl, WINDOW_SECONDS)
      stores.push(store)
      return createLeases(store, () => {})
    },
    stop: () => Promise.all(stores.map((store) => store.stop())),
  }
}
