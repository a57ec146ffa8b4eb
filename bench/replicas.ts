import { randomBytes } from 'node:crypto'
import type { Hex } from 'viem'
import { connect } from '../db/sql.ts'
import { startTestApi } from '../test/support/api.ts'
import { insertOrders, orderRow } from '../test/support/insertOrder.ts'
import { startReplicatedPostgres } from '../test/support/replicatedPostgres.ts'
import { cpuMicros } from './cpuMicros.ts'

/**
 * `node bench/replicas.ts [orders] [concurrent]`: the processor time of the primary for a request, without and with two replicas, in
 * turns. A first read of each order, and one poll of each.
 */

const ORDERS = Number(process.argv[2] ?? 4_000)
const ROUNDS = 3
const CONCURRENT = Number(process.argv[3] ?? 64)

const postgres = await startReplicatedPostgres(2)
const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
const rounds = Array.from({ length: ROUNDS }, () => [0, 1].map(() => newIds()))
for (const ids of rounds.flat()) {
  await insertOrders(
    sql,
    ids.map((id) => orderRow({ id })),
  )
}
await sql`analyze`
const urls = postgres.replicas.map(({ url }) => url)
process.stdout.write(
  '| reads | first, µs of the primary | polled, µs of the primary |\n| --- | --- | --- |\n',
)
for (const [index, pair] of rounds.entries())
  for (const [turn, ids] of pair.entries()) {
    const isOnReplicas = turn === 1
    const api = await startTestApi({
      databaseUrl: postgres.url,
      replicaUrls: isOnReplicas ? urls : [],
    })
    await settle()
    const first = await measure(api.url, ids)
    const polled = await measure(api.url, ids)
    await api.stop()
    const name = `${isOnReplicas ? 'on two replicas' : 'on the primary'}, round ${index + 1}`
    process.stdout.write(`| ${name} | ${first} | ${polled} |\n`)
  }
await sql.end()
await postgres.stop()

function newIds(): Hex[] {
  return Array.from({ length: ORDERS }, (): Hex => `0x${randomBytes(32).toString('hex')}`)
}

/** Until the replicas are read and Postgres has written what it had to. */
function settle() {
  return new Promise((resolve) => setTimeout(resolve, 2_000))
}

async function measure(url: string, ids: Hex[]): Promise<number> {
  const before = cpuMicros(postgres.pid)
  const open = [...ids]
  const read = async () => {
    for (let id = open.pop(); id; id = open.pop()) {
      const response = await fetch(`${url}/v1/transit/orders/${id}`)
      if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`)
      await response.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, read))
  return Math.round((cpuMicros(postgres.pid) - before) / ids.length)
}
