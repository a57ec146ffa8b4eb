import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { OFFER_ASSET, testAddressBook } from '../../test/support/addressBook.ts'
import { buildHash } from './buildHash.ts'

const project = join(import.meta.dirname, '../..')
const folders = ['src', 'abis', 'db', 'domain/addressBook']
const { chains } = testAddressBook
type Chains = typeof chains

describe('buildHash', () => {
  let root: string
  let before: string
  const hashOf = (
    of: Chains = chains,
    generations = of.map(() => 0),
    vaults = testAddressBook.vaults,
  ) => {
    const book = { ...testAddressBook, chains: of, vaults }
    return buildHash(root, { book, chainIds: of.map(({ id }) => id), generations })
  }
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'causeway-hash-'))
    for (const part of [...folders, 'ponder.schema.ts', 'ponder.config.ts'])
      await cp(join(project, part), join(root, part), { recursive: true })
    await mkdir(join(root, 'node_modules/ponder'), { recursive: true })
    await writeFile(join(root, 'node_modules/ponder/package.json'), '{"version":"0.17.7"}')
    before = await hashOf()
  })
  afterEach(() => rm(root, { recursive: true }))

  test('default', () => expect(before).toMatch(/^[0-9a-f]{12}$/))

  test.each([
    'src/handlers/Another.ts',
    'abis/another.ts',
    'src/tables/transit.ts',
    'ponder.schema.ts',
    'ponder.config.ts',
    'db/readViews/transitOrder.sql',
    'db/readIndexes.ts',
    'domain/addressBook/versionAt.ts',
  ])('behavior: changes with %s', async (file) => {
    await writeFile(join(root, file), '// changed')
    expect(await hashOf()).not.toBe(before)
  })

  test("behavior: changes with Ponder's version", async () => {
    await writeFile(join(root, 'node_modules/ponder/package.json'), '{"version":"0.17.8"}')
    expect(await hashOf()).not.toBe(before)
  })

  test('behavior: changes with the station, eid and finality depth of a chain, not with its other entries', async () => {
    const [first, ...others] = chains
    if (!first?.transitStation) throw new Error('the test address book has stations')
    const transitStation = { ...first.transitStation, startBlock: 7 }
    for (const change of [{ transitStation }, { eid: 7 }, { finalityDepth: 7 }])
      expect(await hashOf([{ ...first, ...change }, ...others])).not.toBe(before)
    expect(await hashOf([{ ...first, name: 'Renamed' }, ...others])).toBe(before)
  })

  test('behavior: changes with the contracts of a vault on one of its chains, not with its other entries', async () => {
    const [first] = chains
    const address = `0x${'ab'.repeat(20)}` as const
    const deployment = {
      chainId: 1,
      vault: { address, startBlock: 5 },
      baseToken: OFFER_ASSET,
      tellers: [],
      accountants: [],
      depositors: [],
      queues: [],
      feeModules: [],
      assets: [],
      inDeprecation: false,
    }
    const vaultsOf = (changes: Partial<typeof deployment>) => [
      { name: 'One', yieldType: 'CORE' as const, deployments: [{ ...deployment, ...changes }] },
    ]
    const hashWith = (changes: Partial<typeof deployment>) =>
      hashOf(first ? [first] : [], [0], vaultsOf(changes))
    const own = await hashWith({})
    expect(own).not.toBe(await hashWith({ chainId: 4663 }))
    expect(own).not.toBe(await hashWith({ vault: { address, startBlock: 6 } }))
    // Cast, because the other fields of a fee module are not in the hash.
    expect(own).not.toBe(await hashWith({ feeModules: [{ address, fromBlock: 1 }] as never[] }))
    expect(own).toBe(await hashWith({ inDeprecation: true }))
  })

  test('behavior: changes when a chain is ordered to be indexed again', async () => {
    const once = await hashOf(chains, [1, 0])
    expect(once).not.toBe(before)
    expect(await hashOf(chains, [0, 1])).not.toBe(once)
  })

  test('behavior: does not change with tests', async () => {
    await writeFile(join(root, 'src/handlers/some.test.ts'), '')
    expect(await hashOf()).toBe(before)
  })
})
