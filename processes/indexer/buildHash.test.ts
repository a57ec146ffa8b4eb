import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { testAddressBook } from '../../test/support/addressBook.ts'
import { buildHash } from './buildHash.ts'

const project = join(import.meta.dirname, '../..')
const { chains } = testAddressBook

describe('buildHash', () => {
  let root: string
  let before: string
  const hashOf = (of = chains, generations = of.map(() => 0)) =>
    buildHash(root, { chains: of, generations })
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'causeway-hash-'))
    for (const part of ['src', 'abis', 'db', 'ponder.schema.ts', 'ponder.config.ts'])
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
    'ponder.schema.ts',
    'ponder.config.ts',
    'db/readViews/transitOrder.sql',
    'db/readIndexes.ts',
  ])('behavior: changes with %s', async (file) => {
    await writeFile(join(root, file), '// changed')
    expect(await hashOf()).not.toBe(before)
  })

  test("behavior: changes with Ponder's version", async () => {
    await writeFile(join(root, 'node_modules/ponder/package.json'), '{"version":"0.17.8"}')
    expect(await hashOf()).not.toBe(before)
  })

  test('behavior: changes with what is indexed and joined of a chain, not with the rest', async () => {
    const [first, ...others] = chains
    if (!first?.transitStation) throw new Error('the test address book has stations')
    const transitStation = { ...first.transitStation, startBlock: 7 }
    for (const change of [{ transitStation }, { eid: 7 }, { finalityDepth: 7 }])
      expect(await hashOf([{ ...first, ...change }, ...others])).not.toBe(before)
    expect(await hashOf([{ ...first, name: 'Renamed' }, ...others])).toBe(before)
  })

  test('behavior: changes when a chain is ordered to be indexed anew', async () => {
    const once = await hashOf(chains, [1, 0])
    expect(once).not.toBe(before)
    expect(await hashOf(chains, [0, 1])).not.toBe(once)
  })

  test('behavior: does not change with tests', async () => {
    await writeFile(join(root, 'src/handlers/some.test.ts'), '')
    expect(await hashOf()).toBe(before)
  })
})
