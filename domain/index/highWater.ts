import type { Sql } from 'postgres'

/** The newest block per chain from which any api process has answered, kept in Postgres. */
export type HighWater = {
  /** Resolves once the mark covers `block`. Callers that ask while it is being written share the write. */
  raise(chainId: number, block: number): Promise<void>
}

export function createHighWater(sql: Sql): HighWater {
  // Finished writes are not remembered: an indexer lowers the mark of a chain that became shorter.
  const writing = new Map<string, Promise<void>>()

  async function write(chainId: number, block: number) {
    await sql`
      insert into app.index_high_water (chain_id, block_number) values (${chainId}, ${block})
      on conflict (chain_id) do update
      set block_number = greatest(index_high_water.block_number, excluded.block_number),
        updated_at = now()`
  }

  return {
    raise(chainId, block) {
      const key = `${chainId}:${block}`
      const begun = writing.get(key) ?? write(chainId, block).finally(() => writing.delete(key))
      writing.set(key, begun)
      return begun
    },
  }
}
