import { connect } from '../db/sql.ts'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import { benchAddressBook, benchBookWith, idleChain } from './benchChains.ts'
import { headOf } from './chainFacts.ts'
import { seededSchema, serveSeeded } from './seedBuilds.ts'

/**
 * Adds chains without facts, in SQL, until the installation of an address book has `chainCount` chains. Each call adds at
 * most one build. Returns the address book of all chains.
 */
export async function serveIdleChains(
  databaseUrl: string,
  chainCount: number,
  seeded: AddressBookFile = benchAddressBook,
) {
  const idle = Array.from({ length: chainCount - seeded.chains.length }, (_, i) => idleChain(i))
  const addressBook = benchBookWith(idle, seeded)
  const sql = connect(databaseUrl, { applicationName: 'bench-seed', max: 3 })
  try {
    const [copied] = seeded.chains
    if (!copied) throw new Error('Invariant(idleChains): there is a chain with facts')
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
