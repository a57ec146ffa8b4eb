import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { connect } from '../db/sql.ts'
import { selectTransitOrders } from '../domain/transit/orders/ordersById.ts'

/**
 * What the order read is held against: the same SQL from one route of a bare Fastify, its rows sent as
 * they are. A process of its own; tells its port to whoever started it. Needs DATABASE_URL.
 */
const sql = connect(process.env.DATABASE_URL ?? '', { applicationName: 'bench-bare' })
const app = Fastify()
app.get<{ Params: { id: string } }>('/:id', async ({ params }, reply) => {
  const rows = await selectTransitOrders(sql, [params.id as `0x${string}`])
  reply.type('application/json; charset=utf-8')
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
})
await app.listen({ host: '127.0.0.1', port: 0 })
process.send?.((app.server.address() as AddressInfo).port)
process.once('disconnect', () => process.exit(0))
