import pg from 'pg'
import type { Sql, TransactionSql } from 'postgres'

/** The right to keep one chain, which one process has at a time. */
export type ChainLease = {
  isHeld(): boolean
  /**
   * Runs a transaction that is undone where another process took the chain over meanwhile, however late
   * this one notices. Throws `LeaseLostError`.
   */
  write<Result>(run: (sql: TransactionSql) => Promise<Result>): Promise<Result>
}

export type ChainLeases = {
  /** Null where another process has it. */
  take(chainId: number): Promise<ChainLease | null>
  stop(): Promise<void>
}

export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/**
 * ChainLeases of chains, all held by one session's advisory locks: Postgres frees them the moment a killed
 * process's connection closes. A process that was cut off may still act for a while; the number that each
 * lease has, and every write looks at, keeps it from writing.
 */
export function createChainLeases(databaseUrl: string, sql: Sql): ChainLeases {
  let session: pg.Client | null = null
  let opening: Promise<pg.Client> | null = null

  async function open(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'causeway-keeper-lease',
      keepAlive: true,
    })
    const lost = () => {
      if (session === client) session = null
    }
    client.on('error', lost)
    client.on('end', lost)
    await client.connect()
    session = client
    return client
  }

  async function current(): Promise<pg.Client> {
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
        write: (run) => fenced(sql, { chainId, lease }, run),
      }
    },
    async stop() {
      await session?.end()
    },
  }
}

async function fenced<Result>(
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
  // postgres.js types what `begin` gives as unwrapped of arrays of promises, which this never is.
  return result as Result
}
