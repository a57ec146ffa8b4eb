import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'

/** Blocks of `blockSeconds`, counted from `firstBlock` at the time of the first order. */
export type BenchChain = {
  id: number
  eid: number
  firstBlock: number
  blockSeconds: number
  headBlock: number
}

export const FIRST_ORDER_AT = 1_735_689_600
const SECONDS = 30_020_000

export const benchChains: BenchChain[] = [
  { id: 1, eid: 30_101, firstBlock: 21_000_000, blockSeconds: 12 },
  { id: 4663, eid: 30_416, firstBlock: 4_000_000, blockSeconds: 1 },
].map((chain) => ({
  ...chain,
  headBlock: chain.firstBlock + Math.floor(SECONDS / chain.blockSeconds),
}))

const offered = (chainId: number) => tokenOf(chainId, 'a1')
const wanted = (chainId: number) => tokenOf(chainId, 'b2')

function tokenOf(chainId: number, byte: string): `0x${string}` {
  return `0x${byte.repeat(18)}${chainId.toString(16).padStart(4, '0')}`
}

export const benchAssets = { offered, wanted }

/** A chain without an order; `number` is 0 or more. */
export function idleChain(number: number): BenchChain {
  const firstBlock = 1_000
  return {
    id: 70_000 + number,
    eid: 40_000 + number,
    firstBlock,
    blockSeconds: 1,
    headBlock: 5_000,
  }
}

/** The address book with further chains. */
export function benchBookWith(further: BenchChain[], book = benchAddressBook): AddressBookFile {
  return { ...book, chains: [...book.chains, ...further.map(chainEntry)] }
}

function chainEntry({ id, eid, blockSeconds }: BenchChain): AddressBookFile['chains'][number] {
  return {
    id,
    eid,
    name: `Chain ${id}`,
    finalityDepth: 65,
    blockTimeSeconds: blockSeconds,
    multicall3: '0xca11bde05977b3631167028862be2a173976ca11',
    transitStation: { address: `0x${'5a'.repeat(20)}`, startBlock: 0 },
  }
}

/** The chains, each with a station, and all tokens of the orders, so that no answer needs a node. */
export const benchAddressBook: AddressBookFile = {
  environment: 'DEVELOPMENT',
  chains: benchChains.map(chainEntry),
  tokens: benchChains.flatMap(({ id }) => [
    { chainId: id, address: offered(id), name: 'Offered', symbol: 'OFF', decimals: 6 },
    { chainId: id, address: wanted(id), name: 'Wanted', symbol: 'WANT', decimals: 6 },
  ]),
  transitRoutes: [],
}
