import { Gauge, type Registry } from 'prom-client'
import type { Storage } from '../../domain/retention/storage.ts'
import { oncePerScrape } from './oncePerScrape.ts'

/** The gauges of one scrape share one read. The gauge of the capacity is empty if none is configured. */
export function collectStorage(registry: Registry, readStorage: () => Promise<Storage[]>) {
  const registers = [registry]
  const read = oncePerScrape(readStorage)
  const size = new Gauge({
    name: 'causeway_database_size_bytes',
    help: 'The size of the database, without its log of writes (WAL).',
    registers,
    async collect() {
      size.reset()
      for (const { sizeBytes } of await read()) size.set(sizeBytes)
    },
  })
  const capacity = new Gauge({
    name: 'causeway_database_capacity_bytes',
    help: 'The size that the database may have: DATABASE_CAPACITY_GB.',
    registers,
    async collect() {
      capacity.reset()
      for (const { capacityBytes } of await read())
        if (capacityBytes !== null) capacity.set(capacityBytes)
    },
  })
  const overdue = new Gauge({
    name: 'causeway_retention_overdue_days',
    help: 'Days of a table that are no longer kept and are still there.',
    labelNames: ['table'],
    registers,
    async collect() {
      overdue.reset()
      for (const { overdueDays } of await read())
        for (const { table, days } of overdueDays) overdue.set({ table }, days)
    },
  })
}
