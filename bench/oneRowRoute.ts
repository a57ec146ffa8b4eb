import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { connect } from '../db/sql.ts'

/**
 * The floor for the read of an order: a bare Fastify whose one route sends one row, found by its key. Runs as its own
 * process and sends its port to its parent. Needs DATABASE_URL and TABLE.
 */
const sql = connect(process.env.DATABASE_URL ?? '', { applicationName: 'bench-floor' })
const table = sql(process.env.TABLE ?? '')
const app = Fastify()
app.get<{ Params: { id: string } }>('/:id', async ({ params }, reply) => {
  const rows = await sql`select * from ${table} where chain_id = 1 and order_id = ${params.id}`
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
process.once('disconnect', () => process.exit(0))
