import type { Sql, TransactionSql } from 'postgres'
import { createSessionLocks } from '../../db/sessionLocks.ts'

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
 * Leases of chains, held by advisory locks of one session. A process that lost its connection may still run for a while;
 * each lease has a number (a fencing token) that every write checks.
 */
export function createChainLeases(databaseUrl: string, sql: Sql): ChainLeases {
  const locks = createSessionLocks(databaseUrl, 'causeway-keeper-lease')
  return {
    async take(chainId) {
      const lock = await locks.take('causeway.keeper', chainId)
      if (!lock) return null
      const [row] = await sql<{ lease: bigint }[]>`
        insert into app.keeper_chain as known (chain_id, lease) values (${chainId}, 1)
        on conflict (chain_id) do update set lease = known.lease + 1 returning lease`
      const lease = row?.lease ?? 0n
      return {
        isHeld: lock.isHeld,
        write: (run) => writeUnderLease(sql, { chainId, lease }, run),
      }
    },
    stop: locks.stop,
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
