import type { Sql } from 'postgres'

/**
 * Makes `read` anew after `app` was restored without it: the migration that makes it counts as done. No
 * build serves then, whatever `app.index_build` says. Does nothing where `read` is.
 */
export async function recoverLostViews(sql: Sql): Promise<void> {
  await sql.begin(async (transaction) => {
    await transaction`select pg_advisory_xact_lock(hashtext('causeway.serve_build'))`
    const [read] = await transaction<{ isLost: boolean }[]>`
      select to_regclass('read.chain_progress') is null as "isLost"`
    if (!read?.isLost) return
    await transaction`update app.index_build set state = 'retired' where state = 'served'`
    await transaction`select app.begin_empty_index()`
  })
}
