import type { Registry } from 'prom-client'
import type { Storage } from '../../domain/retention/storage.ts'
import { oncePerScrape } from './oncePerScrape.ts'
import { readGauge } from './readGauge.ts'

/** The size of the database. The gauge of the capacity is empty if none is configured. */
export function collectStorage(registry: Registry, readStorage: () => Promise<Storage[]>) {
  const readAll = oncePerScrape(readStorage)
  readGauge(registry, {
    name: 'database_size_bytes',
    help: 'The size of the database, without its log of writes (WAL).',
    read: async () => (await readAll()).map(({ sizeBytes }) => [{}, sizeBytes]),
  })
  readGauge(registry, {
    name: 'database_capacity_bytes',
    help: 'The size that the database may have: DATABASE_CAPACITY_GB.',
    read: async () => (await readAll()).map(({ capacityBytes }) => [{}, capacityBytes]),
  })
  readGauge(registry, {
    name: 'retention_overdue_days',
    help: 'Days of a table that are no longer kept and are still there.',
    labelNames: ['table'],
    read: async () =>
      (await readAll()).flatMap(({ overdueDays }) =>
        overdueDays.map(({ table, days }) => [{ table }, days] as const),
      ),
  })
}
