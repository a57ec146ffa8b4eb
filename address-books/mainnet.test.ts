import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { loadAddressBook } from '../domain/addressBook/addressBook.ts'

const PATH = join(import.meta.dirname, 'mainnet.json')

describe('address-books/mainnet.json', () => {
  test('default: is valid, and every entry has its source', async () => {
    const { environment, chains, tokens, transitRoutes, vaults } = await loadAddressBook(PATH)
    expect(environment).toBe('PRODUCTION')
    const entries = [
      ...chains,
      ...tokens,
      ...transitRoutes,
      ...vaults.flatMap(({ deployments }) => deployments),
    ]
    expect(entries.filter(({ source }) => source === undefined)).toEqual([])
  })

  test('behavior: the six chains of the interface, and no stamp: nobody could verify it here', async () => {
    const { chains, verified } = await loadAddressBook(PATH)
    expect(chains.map(({ id }) => id)).toEqual([1, 4663, 8453, 999, 2201, 11_155_111])
    expect(verified).toBeUndefined()
  })

  test('behavior: every address has its checksum', async () => {
    const addresses = (await readFile(PATH, 'utf8')).match(/0x[0-9a-fA-F]{40}/g) ?? []
    expect(addresses.length).toBeGreaterThan(20)
    expect(addresses.filter((address) => !isAddress(address, { strict: true }))).toEqual([])
    expect(addresses.filter((address) => address === address.toLowerCase())).toEqual([])
  })

  test('behavior: the routes that the station was deployed with, by their directions', async () => {
    const { transitRoutes } = await loadAddressBook(PATH)
    expect(
      transitRoutes.map((route) => `${route.sourceChainId}>${route.destinationChainId}`),
    ).toEqual([...Array(4).fill('1>4663'), ...Array(3).fill('4663>1')])
  })
})
