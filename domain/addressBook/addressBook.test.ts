import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  AddressBookError,
  type AddressBookFile,
  loadAddressBook,
  parseAddressBook,
} from './addressBook.ts'
import { indexedChains } from './indexedChains.ts'

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'address-book.md')
const ELSEWHERE = `0x${'e1'.repeat(20)}`

type Chain = AddressBookFile['chains'][number]
type Token = AddressBookFile['tokens'][number]
type Route = AddressBookFile['transitRoutes'][number]

const feed = { chainId: 1, address: at('fe'), maxAgeSeconds: 3_600 }
const usdc: Token = {
  chainId: 1,
  address: at('a1'),
  name: 'USD Coin',
  symbol: 'USDC',
  decimals: 6,
  usdFeed: feed,
}
const usdg: Token = {
  chainId: 2,
  address: at('b2'),
  name: 'Global',
  symbol: 'USDG',
  decimals: 6,
  usdFeed: feed,
}
const route: Route = {
  sourceChainId: 1,
  destinationChainId: 2,
  offerAsset: usdc.address,
  wantAsset: usdg.address,
  minOrderSize: '1000000',
  conversionRateHundredthsBps: 500,
}

describe('parseAddressBook', () => {
  test('default: the example of docs/address-book.md', async () => {
    const example = (await readFile(PAGE, 'utf8')).match(/```json\n(.*?)```/s)?.[1] ?? ''
    const book = parseAddressBook(JSON.parse(example), PAGE)
    expect(book.transitRoutes[0]?.offerAsset).toBe(book.tokens[0]?.address)
  })

  test('behavior: addresses become lower case, defaults are filled in', () => {
    const book = parse({ tokens: [{ ...usdc, address: `0x${'A1'.repeat(20)}` }, usdg] })
    expect(book.tokens[0]).toEqual({ ...usdc, tokenStandard: 'ERC20', usdBandBps: 100 })
    expect(book.transitRoutes[0]).toMatchObject({ maxOrderSize: null, hourlyCap: null })
    expect(parseAddressBook(book, 'again')).toEqual(book)
    const capped = (more: object) =>
      parse(routes({ maxOrderSize: '100', ...more })).transitRoutes[0]
    expect(capped({})?.hourlyCap).toBe('2000')
    expect(capped({ hourlyCap: '400' })?.hourlyCap).toBe('400')
  })

  test('behavior: a chain without a station is served but not indexed', () => {
    const { transitStation: _, ...bare } = chain(3)
    const book = parse({ chains: [chain(1), chain(2), bare] })
    expect(indexedChains(book).map(({ id }) => id)).toEqual([1, 2])
  })

  test.each<[name: string, wrong: object, place: string]>([
    ['an unknown environment', { environment: 'LOCAL' }, 'environment:'],
    ['no chains', { chains: [], tokens: [], transitRoutes: [] }, 'chains:'],
    ['an unknown field', { routes: [] }, 'routes'],
    ['an unknown field inside', chains({ rpcUrl: 'http://127.0.0.1' }), 'rpcUrl'],
    ['a chain id that is none', chains({ id: 0 }), 'chains.0.id'],
    ['a chain twice', { chains: [chain(1), chain(2), { ...chain(2), eid: 7 }] }, 'chains:'],
    ['a chain without a name', chains({ name: '' }), 'chains.0.name'],
    ['an endpoint id twice', chains({ eid: chain(2).eid }), 'chains:'],
    ['a station without an endpoint id', chains({ eid: undefined }), 'chains.0.eid'],
    ['a finality depth of 0', chains({ finalityDepth: 0 }), 'chains.0.finalityDepth'],
    ['a block time of 0', chains({ blockTimeSeconds: 0 }), 'chains.0.blockTimeSeconds'],
    ['an explorer without TLS', chains({ explorerUrl: 'http://x.org' }), 'chains.0.explorerUrl'],
    ['an explorer with a slash', chains({ explorerUrl: 'https://x.org/' }), 'explorerUrl'],
    ['an explorer that is no URL', chains({ explorerUrl: 'x.org' }), 'chains.0.explorerUrl'],
    ['an address that is short', chains({ multicall3: '0x1234' }), 'chains.0.multicall3'],
    ['a start block below 0', station({ startBlock: -1 }), 'chains.0.transitStation.startBlock'],
    ['a station without a start block', station({ startBlock: undefined }), 'startBlock'],
    ['a token twice', { tokens: [usdc, usdg, { ...usdg, symbol: 'OTHER' }] }, 'tokens:'],
    ['a token of no chain', { tokens: [usdc, usdg, { ...usdg, chainId: 9 }] }, 'tokens.2.chainId'],
    ['decimals above 255', { tokens: [{ ...usdc, decimals: 256 }, usdg] }, 'tokens.0.decimals'],
    ['a token without a symbol', { tokens: [{ ...usdc, symbol: '' }, usdg] }, 'tokens.0.symbol'],
    ['another standard', { tokens: [{ ...usdc, tokenStandard: 'ERC721' }, usdg] }, 'tokenStandard'],
    ['a route from nowhere', routes({ sourceChainId: 9 }), 'transitRoutes.0.sourceChainId'],
    ['a route to nowhere', routes({ destinationChainId: 9 }), 'transitRoutes.0.destinationChainId'],
    ['an unknown offer asset', routes({ offerAsset: ELSEWHERE }), 'transitRoutes.0.offerAsset'],
    [
      'a want asset of the wrong chain',
      routes({ wantAsset: at('a1') }),
      'transitRoutes.0.wantAsset',
    ],
    ['an amount with a point', routes({ minOrderSize: '1.5' }), 'transitRoutes.0.minOrderSize'],
    ['an amount as a number', routes({ maxOrderSize: 5 }), 'transitRoutes.0.maxOrderSize'],
    ['the whole protocol fee', routes({ conversionRateHundredthsBps: 5_000 }), 'conversionRate'],
    ['a route twice', { transitRoutes: [route, route] }, 'transitRoutes:'],
    [
      'an offer without a price',
      { tokens: [{ ...usdc, usdFeed: undefined }, usdg] },
      'transitRoutes.0.offerAsset',
    ],
    [
      'a payment without a price',
      { tokens: [usdc, { ...usdg, usdFeed: undefined }] },
      'transitRoutes.0.wantAsset',
    ],
    [
      'production without a largest order',
      { environment: 'PRODUCTION' },
      'transitRoutes.0.maxOrderSize',
    ],
    [
      'production without ceilings of the keeper',
      {
        environment: 'PRODUCTION',
        ...chains({ smartDeposit: { factory: at('fa'), implementation: at('1a') } }),
      },
      'chains.0.smartDeposit.ceilings',
    ],
    [
      'a factory of an unknown generation',
      chains({
        smartDeposit: {
          factory: at('fa'),
          implementation: at('1a'),
          otherFactories: [
            { factory: at('fb'), implementation: at('1b'), generation: 'C' as never },
          ],
        },
      }),
      'chains.0.smartDeposit.otherFactories.0.generation',
    ],
    [
      'a cap of which one caller cannot have the largest order',
      routes({ maxOrderSize: '100', hourlyCap: '399' }),
      'transitRoutes.0.hourlyCap',
    ],
    [
      'a minimum with a point',
      { tokens: [{ ...usdc, smartDepositMinimum: '0.1' }, usdg] },
      'tokens.0',
    ],
    ['a band of 0', { tokens: [{ ...usdc, usdBandBps: 0 }, usdg] }, 'tokens.0.usdBandBps'],
    [
      'a price from nowhere',
      { tokens: [{ ...usdc, usdFeed: { ...feed, chainId: 9 } }, usdg] },
      'tokens.0.usdFeed.chainId',
    ],
    [
      'a destination without an execution cost',
      { chains: [chain(1), { ...chain(2), transitFill: undefined }] },
      'transitRoutes.0.destinationChainId',
    ],
    [
      'an execution cost without a price feed on a known chain',
      chains({ transitFill: { gas: 1, nativeUsdFeed: { ...feed, chainId: 9 } } }),
      'chains.0.transitFill.nativeUsdFeed.chainId',
    ],
  ])('error: %s', (_, wrong, place) => {
    const failure = refusal(wrong)
    expect(failure).toBeInstanceOf(AddressBookError)
    expect(failure?.message).toContain(place)
  })

  test('error: every wrong place is named at once, with the source', () => {
    const failure = refusal({ environment: 'LOCAL', ...chains({ finalityDepth: 0, name: '' }) })
    for (const words of ['test.json', 'environment', 'chains.0.finalityDepth', 'chains.0.name'])
      expect(failure?.message).toContain(words)
  })
})

describe('loadAddressBook', () => {
  test('default, and error: a missing file, and a file that is not JSON', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-book-'))
    const path = join(folder, 'book.json')
    await expect(loadAddressBook(path)).rejects.toThrow(AddressBookError)
    await writeFile(path, '{')
    await expect(loadAddressBook(path)).rejects.toThrow(AddressBookError)
    await writeFile(path, JSON.stringify(file()))
    expect(await loadAddressBook(path)).toEqual(parse())
    await rm(folder, { recursive: true })
  })
})

function at(byte: string): string {
  return `0x${byte.repeat(20)}`
}

function chain(id: number): Chain {
  return {
    id,
    name: `Chain ${id}`,
    eid: 30_000 + id,
    finalityDepth: 65,
    blockTimeSeconds: 12,
    multicall3: at('c3'),
    transitStation: { address: at('5a'), startBlock: 0 },
    transitFill: { gas: 130_000, nativeUsdFeed: feed },
  }
}

function chains(wrong: object) {
  return { chains: [{ ...chain(1), ...wrong }, chain(2)] }
}

function station(wrong: object) {
  return chains({ transitStation: { ...chain(1).transitStation, ...wrong } })
}

function routes(wrong: object) {
  return { transitRoutes: [{ ...route, ...wrong }] }
}

function file(overrides: object = {}): object {
  return {
    environment: 'DEVELOPMENT',
    chains: [chain(1), chain(2)],
    tokens: [usdc, usdg],
    transitRoutes: [route],
    ...overrides,
  }
}

function parse(overrides: object = {}) {
  return parseAddressBook(file(overrides), 'test.json')
}

function refusal(overrides: object): Error | undefined {
  try {
    parse(overrides)
  } catch (error) {
    return error as Error
  }
}
