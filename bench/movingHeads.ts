import { connect } from '../db/sql.ts'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'

/**
 * Gives every served chain a new head in its block time, as its indexer would: what is kept of a list while no block comes
 * is read again. Resolves to a function that ends it.
 */
export async function moveHeads(
  databaseUrl: string,
  { chains }: AddressBookFile,
): Promise<() => Promise<void>> {
  const sql = connect(databaseUrl, { applicationName: 'bench-heads', max: 1 })
  const builds = await sql<{ id: number; schema: string }[]>`
    select chain_id as id, postgres_schema as schema from app.index_build where state = 'served'`
  const timers = chains.flatMap(({ id, blockTimeSeconds }) => {
    const build = builds.find((served) => served.id === id)
    if (!build) return []
    const move = () => sql`
      update ${sql(`${build.schema}.chain_head`)}
      set block_number = block_number + 1,
        block_hash = '0x' || md5(random()::text) || md5(random()::text),
        block_timestamp = greatest(block_timestamp, extract(epoch from now())::bigint)
      where chain_id = ${id}`
    return setInterval(() => void move(), blockTimeSeconds * 1_000)
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await sql.end()
  }
}
