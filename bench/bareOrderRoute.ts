import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { connect } from '../db/sql.ts'
import { selectTransitOrders } from '../domain/transit/orders/selectTransitOrders.ts'

/**
 * The comparison for the read of an order: the same SQL in one route of a bare Fastify, which sends its
 * rows unchanged. Runs as its own process and sends its port to its parent. Needs DATABASE_URL.
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
