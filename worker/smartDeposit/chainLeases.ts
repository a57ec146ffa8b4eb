import type { Sql, TransactionSql } from 'postgres'
import { pgOptions } from '../../db/databaseUrl.ts'
import { PgClient } from '../../db/primary.ts'

/** The right to keep one chain; one process holds it at a time. */
export type ChainLease = {
  isHeld(): boolean
  /** Runs a transaction that fails if another process has taken the chain over. Throws `LeaseLostError`. */
  write<Result>(run: (sql: TransactionSql) => Promise<Result>): Promise<Result>
}

export type ChainLeases = {
  /** Null if another process holds it. */
  take(chainId: number): Promise<ChainLease | null>
  stop(): Promise<void>
}

export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/**
 * Leases of chains, held by advisory locks of one session: Postgres releases them when the connection of a
 * dead process closes. A process that lost its connection may still run for a while; each lease has a
 * number (a fencing token) that every write checks.
 */
export function createChainLeases(databaseUrl: string, sql: Sql): ChainLeases {
  let session: PgClient | null = null
  let opening: Promise<PgClient> | null = null

  async function open(): Promise<PgClient> {
    const client = new PgClient(pgOptions(databaseUrl, 'causeway-keeper-lease'))
    const lost = () => {
      if (session === client) session = null
    }
    client.on('error', lost)
    client.on('end', lost)
    await client.connect()
    session = client
    return client
  }

  async function current(): Promise<PgClient> {
    if (session) return session
    opening ??= open().finally(() => {
      opening = null
    })
    return opening
  }

  return {
    async take(chainId) {
      const client = await current()
      const { rows } = await client.query<{ locked: boolean }>(
        `select pg_try_advisory_lock(hashtext('causeway.keeper'), $1) as locked`,
        [chainId],
      )
      if (!rows[0]?.locked) return null
      const [row] = await sql<{ lease: bigint }[]>`
        insert into app.keeper_chain as known (chain_id, lease) values (${chainId}, 1)
        on conflict (chain_id) do update set lease = known.lease + 1 returning lease`
      const lease = row?.lease ?? 0n
      return {
        isHeld: () => session === client,
        write: (run) => writeUnderLease(sql, { chainId, lease }, run),
      }
    },
    async stop() {
      await session?.end()
    },
  }
}

async function writeUnderLease<Result>(
  sql: Sql,
  { chainId, lease }: { chainId: number; lease: bigint },
  run: (sql: TransactionSql) => Promise<Result>,
): Promise<Result> {
  const result = await sql.begin(async (transaction) => {
    const [held] = await transaction`
      select 1 from app.keeper_chain where chain_id = ${chainId} and lease = ${String(lease)}
      for update`
    if (!held) throw new LeaseLostError(`another process keeps chain ${chainId} now`)
    return run(transaction)
  })
  // postgres.js unwraps arrays of promises in the type of `begin`; the result is never one.
  return result as Result
}
