import { mkdir } from 'node:fs/promises'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { serve } from '@hono/node-server'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Hono } from 'hono'
import pg from 'pg'
import { PEER_SCHEMA } from './peerSchema.ts'

/**
 * Ponder's own GraphQL over the tables of the peers, by its middleware. Runs as its own process and sends its port to its
 * parent. Needs DATABASE_URL.
 */
// Two copies of graphql are installed, and each calls the other's schemas foreign.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, specifier === 'graphql' ? { ...context, parentURL: import.meta.url } : context),
})
Object.assign(globalThis, { PONDER_NAMESPACE_BUILD: { schema: PEER_SCHEMA } })
// The tables take the name of their Postgres schema when they are loaded.
const schema = await import('../../ponder.schema.ts')
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const raw = drizzle(pool, { casing: 'snake_case', schema })
Object.assign(globalThis, { PONDER_DATABASE: { readonlyQB: { raw } } })
// The middleware writes its schema into the working directory.
const folder = join(import.meta.dirname, '../../.causeway/bench')
await mkdir(folder, { recursive: true })
process.chdir(folder)
const { graphql } = await import('ponder')
const app = new Hono()
app.use('/graphql', graphql({ db: raw, schema }))
const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: 0 }, (address: AddressInfo) =>
  process.send?.(address.port),
)
process.once('disconnect', () => {
  server.close()
  process.exit(0)
})
