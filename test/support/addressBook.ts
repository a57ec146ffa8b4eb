import { type AddressBook, parseAddressBook } from '../../domain/addressBook/addressBook.ts'

const station = { address: `0x${'5a'.repeat(20)}`, startBlock: 0 }
const chain = {
  finalityDepth: 65,
  blockTimeSeconds: 1,
  multicall3: '0xca11bde05977b3631167028862be2a173976ca11',
  transitStation: station,
}

export const OFFER_ASSET = `0x${'a1'.repeat(20)}` as const
export const WANT_ASSET = `0x${'b2'.repeat(20)}` as const

/** Two chains with a station each, one token on either. */
export const testAddressBook: AddressBook = parseAddressBook(
  {
    environment: 'DEVELOPMENT',
    chains: [
      { ...chain, id: 1, name: 'One', eid: 30_101 },
      { ...chain, id: 4663, name: 'Other', eid: 30_416 },
    ],
    tokens: [
      { chainId: 1, address: OFFER_ASSET, name: 'Offered', symbol: 'OFF', decimals: 6 },
      { chainId: 4663, address: WANT_ASSET, name: 'Wanted', symbol: 'WANT', decimals: 18 },
    ],
    transitRoutes: [],
  },
  'test address book',
)
