import type { Address } from 'viem'
import { type AddressBook, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { OFFER_ASSET, testAddressBook, WANT_ASSET } from './addressBook.ts'

export type BookVault = {
  chainId: 1 | 4663
  vault: Address
  base: 'six decimals' | 'eighteen decimals' | 'a stand-in of eight'
  inDeprecation?: boolean
}

const BASES = {
  'six decimals': { baseToken: OFFER_ASSET },
  'eighteen decimals': { baseToken: WANT_ASSET },
  'a stand-in of eight': {
    baseToken: `0x${'57'.repeat(20)}`,
    baseTokenStandIn: { symbol: 'XAU', decimals: 8, coinGeckoId: 'pax-gold' },
  },
} as const

/** Two chains with these vaults, without nodes: only the index has facts about them. */
export function bookOfVaults(vaults: BookVault[]): AddressBook {
  const { chains } = testAddressBook
  const token = { tokenStandard: 'ERC20' as const }
  const tokens = chains.flatMap(({ id }) => [
    { ...token, chainId: id, address: OFFER_ASSET, name: 'Six', symbol: 'SIX', decimals: 6 },
    { ...token, chainId: id, address: WANT_ASSET, name: 'Big', symbol: 'BIG', decimals: 18 },
  ])
  const entries = vaults.map(({ chainId, vault, base, inDeprecation = false }) => ({
    name: `Vault ${chainId} ${vault}`,
    yieldType: 'CORE' as const,
    deployments: [
      {
        chainId,
        vault: { address: vault, startBlock: 0 },
        ...BASES[base],
        inDeprecation,
        tellers: [{ address: beside(vault, 1), generation: 'B' as const, fromBlock: 0 }],
        accountants: [{ address: beside(vault, 2), generation: 'B' as const, fromBlock: 0 }],
        depositors: [{ address: beside(vault, 3), generation: 'D' as const, fromBlock: 0 }],
        queues: [{ address: beside(vault, 4), generation: 'C' as const, fromBlock: 0 }],
        assets: [],
      },
    ],
  }))
  return parseAddressBook({ ...testAddressBook, tokens, vaults: entries }, 'test book of vaults')
}

function beside(vault: Address, number: number): Address {
  return `${vault.slice(0, -1)}${number}` as Address
}
