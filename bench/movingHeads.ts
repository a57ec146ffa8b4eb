import { connect } from '../db/sql.ts'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'

/** Every so many blocks, one has a log of ours: more often than most chains have one. */
const CHANGING_BLOCK = 5

/**
 * Gives every served chain a new head in its block time, as its indexer would: what is kept of a list while no block comes, or
 * none that changes rows, is read again. Resolves to a function that ends it.
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
        block_hash = next.hash,
        last_change_hash = case
          when (block_number + 1) % ${CHANGING_BLOCK} = 0 then next.hash else last_change_hash
        end,
        block_timestamp = greatest(block_timestamp, extract(epoch from now())::bigint)
      from (select '0x' || md5(random()::text) || md5(random()::text) as hash) next
      where chain_id = ${id}`
    return setInterval(() => void move(), blockTimeSeconds * 1_000)
  })
  return async () => {
    for (const timer of timers) clearInterval(timer)
    await sql.end()
  }
}
