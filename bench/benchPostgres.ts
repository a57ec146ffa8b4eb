import { totalmem } from 'node:os'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'

const MEGABYTE = 1024 ** 2

/** Settings of Postgres as `docs/operating/production.md` advises them: a quarter of the memory holds pages of tables. */
export const benchSettings = { shared_buffers: `${Math.floor(totalmem() / 4 / MEGABYTE)}MB` }

/** A real, empty Postgres on a free port with `benchSettings`, deleted when it stops. */
export const startBenchPostgres = () =>
  startTemporaryPostgres({ settings: benchSettings, onDisk: true })
