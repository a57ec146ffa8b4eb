import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type { AddressBook, AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { factoriesOf } from '../../domain/addressBook/factories.ts'

/** A smart deposit address, as one chain sees it. */
export type Watched = {
  /** What it accepts on this chain; null if its vault is on another one. */
  token: Address | null
  /** The chain of its vault. */
  addressChainId: number
  /** Whether other tokens are its payments too: of generation B. */
  takesAny: boolean
}

/** The smart deposit addresses that one chain has payments to, in memory. */
export type WatchedAddresses = {
  size(): number
  of(address: Address): Watched | undefined
  /** What an address accepts on this chain. */
  tokenOf(address: Address): Address | undefined
  /** In the order in which they were read. */
  list(): Address[]
  /** All tokens that any address accepts. */
  tokens(): Address[]
  /** Each address that was registered before was read. */
  readUntil(): Date
  /** Reads and returns the addresses that were registered since the last call. */
  refresh(): Promise<Address[]>
}

/** A registration can commit later than one that began after it; none takes longer than this. */
const OVERLAP = '1 minute'

/**
 * Addresses of generation B are the same on every chain that has their factory, so each of those chains watches them. Those of a chain
 * that is not in the book are watched nowhere: nobody could say what they take.
 */
export function createWatchedAddresses(
  sql: Sql,
  { chains }: Pick<AddressBook, 'chains'>,
  chain: Pick<AddressBookChain, 'id' | 'smartDeposit'>,
): WatchedAddresses {
  const served = chains.map(({ id }) => id)
  const ofB = factoriesOf(chain).flatMap(({ generation, address }) =>
    generation === 'B' ? [address] : [],
  )
  const watched = new Map<Address, Watched>()
  /** One object per kind, to save memory. */
  const kinds = new Map<string, Watched>()
  let since = new Date(0)

  function kindOf({ token, chainId, generation }: Row): Watched {
    const isHome = chainId === chain.id
    const takesAny = generation === 'B' && ofB.length > 0
    const name = `${isHome ? token : ''} ${chainId} ${takesAny}`
    const known = kinds.get(name)
    if (known) return known
    const kind = { token: isHome ? token : null, addressChainId: chainId, takesAny }
    kinds.set(name, kind)
    return kind
  }

  return {
    size: () => watched.size,
    of: (address) => watched.get(address),
    tokenOf: (address) => watched.get(address)?.token ?? undefined,
    list: () => [...watched.keys()],
    tokens: () => [...new Set([...kinds.values()].flatMap(({ token }) => token ?? []))],
    readUntil: () => since,
    async refresh() {
      const added: Address[] = []
      const [now] = await sql<{ settled: Date }[]>`
        select now() - ${OVERLAP}::interval as settled`
      const rows = sql<Row[]>`
        select address, input_token as token, chain_id as "chainId", generation
        from app.smart_deposit_address
        where (chain_id = ${chain.id} or generation = 'B' and factory = any(${ofB}::text[])
            and chain_id = any(${served}::integer[]))
          and created_at > ${since}
        order by created_at`
      for await (const page of rows.cursor(5_000))
        for (const row of page) {
          if (watched.has(row.address)) continue
          watched.set(row.address, kindOf(row))
          added.push(row.address)
        }
      if (now) since = now.settled
      return added
    },
  }
}

type Row = { address: Address; token: Address; chainId: number; generation: 'A' | 'B' }
