import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { unpatchedFiles } from './unpatchedFiles.ts'

const project = join(import.meta.dirname, '..')
/** What the patches change lies in these folders. */
const PATCHED = [
  'patches',
  'node_modules/graphile-worker/dist',
  'node_modules/ponder/dist/esm',
  'node_modules/postgres/src',
]
const CACHE = 'node_modules/ponder/dist/esm/indexing-store/cache.js'

describe('unpatchedFiles', () => {
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'causeway-patched-'))
    for (const part of PATCHED) await cp(join(project, part), join(root, part), { recursive: true })
  })
  afterEach(() => rm(root, { recursive: true }))

  test('default: npm ci has applied every patch', async () => {
    expect(await unpatchedFiles(root)).toEqual([])
  })

  test('error: a file is as Ponder publishes it', async () => {
    const path = join(root, CACHE)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/tableCache\.cache\.size <= MOST_KEPT_ROWS \|\|\s+/, ''))
    expect(await unpatchedFiles(root)).toEqual([CACHE])
  })
})
