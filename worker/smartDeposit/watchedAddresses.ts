import type { Sql } from 'postgres'
import type { Address } from 'viem'

/** The smart deposit addresses of one chain with the token that each accepts, in memory. */
export type WatchedAddresses = {
  size(): number
  tokenOf(address: Address): Address | undefined
  /** In the order in which they were read. */
  list(): Address[]
  /** All tokens that any address accepts. */
  tokens(): Address[]
  /** Reads and returns the addresses that were registered since the last call. */
  refresh(): Promise<Address[]>
}

/** A registration can commit later than one that began after it; none takes longer than this. */
const OVERLAP = '1 minute'

export function createWatchedAddresses(sql: Sql, chainId: number): WatchedAddresses {
  const tokenOf = new Map<Address, Address>()
  /** One string per token, to save memory. */
  const tokens = new Map<string, Address>()
  let since = new Date(0)

  return {
    size: () => tokenOf.size,
    tokenOf: (address) => tokenOf.get(address),
    list: () => [...tokenOf.keys()],
    tokens: () => [...tokens.values()],
    async refresh() {
      const added: Address[] = []
      const [now] = await sql<{ settled: Date }[]>`
        select now() - ${OVERLAP}::interval as settled`
      const rows = sql<{ address: Address; token: Address }[]>`
        select address, input_token as token from app.smart_deposit_address
        where chain_id = ${chainId} and created_at > ${since}
        order by created_at`
      for await (const page of rows.cursor(5_000))
        for (const { address, token } of page) {
          if (tokenOf.has(address)) continue
          if (!tokens.has(token)) tokens.set(token, token)
          tokenOf.set(address, tokens.get(token) ?? token)
          added.push(address)
        }
      if (now) since = now.settled
      return added
    },
  }
}
