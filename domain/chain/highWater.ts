import type { Sql } from 'postgres'

/** The newest block per chain that any api process has answered from, kept in Postgres. */
export type HighWater = {
  /** Resolves once the mark covers `block`; at most one write per process, chain and block. */
  raise(chainId: number, block: number): Promise<void>
}

export function createHighWater(sql: Sql): HighWater {
  const raised = new Map<number, { block: number; done: Promise<void> }>()

  async function write(chainId: number, block: number) {
    await sql`
      insert into app.index_high_water (chain_id, block_number) values (${chainId}, ${block})
      on conflict (chain_id) do update
      set block_number = greatest(index_high_water.block_number, excluded.block_number),
        updated_at = now()`
  }

  return {
    raise(chainId, block) {
      const known = raised.get(chainId)
      if (known && known.block >= block) return known.done
      const done = write(chainId, block).catch((error) => {
        if (raised.get(chainId)?.done === done) raised.delete(chainId)
        throw error
      })
      raised.set(chainId, { block, done })
      return done
    },
  }
}
