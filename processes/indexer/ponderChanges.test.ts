import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { changePonder } from './ponderChanges.ts'

const PONDER = new URL('./', import.meta.resolve('ponder'))

async function changedFile(path: string) {
  const { href } = new URL(path, PONDER)
  const source = await readFile(fileURLToPath(href), 'utf8')
  return { href, source, changed: changePonder(href, source) }
}

describe('changePonder', () => {
  test('default: a live block has no temporary table, and one statement sets its checkpoint', async () => {
    const { source, changed } = await changedFile('runtime/multichain.js')
    const statements = ['ON COMMIT DROP', 'commitBlock(tx']
    expect(statements.filter((part) => source.includes(part))).toEqual(statements)
    expect(statements.filter((part) => changed.includes(part))).toEqual([])
    expect(changed.split('set_config(')).toHaveLength(2)
  })

  test('behavior: the rows for reorganisations get that checkpoint', async () => {
    const { source, changed } = await changedFile('database/actions.js')
    const count = (text: string, part: string) => text.split(part).length - 1
    expect(count(changed, "current_setting('causeway.checkpoint')")).toBe(3)
    expect(count(source, 'MAX_CHECKPOINT_STRING') - count(changed, 'MAX_CHECKPOINT_STRING')).toBe(3)
  })

  test('behavior: live and past, a transaction that is repeated begins with an empty cache', async () => {
    const { source, changed } = await changedFile('runtime/multichain.js')
    const count = (text: string, part: string) => text.split(part).length - 1
    expect(count(changed, 'if (context.hasBegun)')).toBe(2)
    expect(count(changed, 'indexingCache.clear()') - count(source, 'indexingCache.clear()')).toBe(2)
  })

  test('error: Ponder is another version', async () => {
    const { href, source } = await changedFile('runtime/multichain.js')
    const other = source.replace('commitBlock(tx', 'commitBlocks(tx')
    expect(() => changePonder(href, other)).toThrow('not once in /ponder/dist/esm/runtime')
  })
})
