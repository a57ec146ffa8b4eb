import { connect } from '../db/sql.ts'
import { benchBookWith, benchChains, idleChain } from './benchChains.ts'
import { headOf } from './chainFacts.ts'
import { seededSchema, serveSeeded } from './seedBuilds.ts'

/**
 * Serves chains without orders beside the two of `seedOrders`, made in SQL, until there are so many: those of a call are
 * one build. Returns the address book of all.
 */
export async function serveIdleChains(databaseUrl: string, chainCount: number) {
  const idle = Array.from({ length: chainCount - benchChains.length }, (_, i) => idleChain(i))
  const addressBook = benchBookWith(idle)
  const sql = connect(databaseUrl, { applicationName: 'bench-seed', max: 3 })
  try {
    const [copied] = benchChains
    if (!copied) throw new Error('Invariant(idleChains): there is a chain with orders')
    const served = await sql<{ id: number }[]>`
      select chain_id as id from app.index_build where state = 'served'`
    const missing = idle.filter((chain) => !served.some(({ id }) => id === chain.id))
    if (missing.length > 0)
      await serveSeeded(sql, {
        ponderSchema: seededSchema(copied.id),
        addressBook,
        builds: [missing.map((chain) => ({ ...chain, inserts: [headOf(chain)] }))],
      })
  } finally {
    await sql.end()
  }
  return addressBook
}
