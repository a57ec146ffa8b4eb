import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BOOK } from '../../test/sdk/hostile/offlineWorld.ts'
import { loadShieldBook } from './loadShieldBook.ts'

const NOW = BOOK.expiresAt - 90 * 86_400
const LIFETIMES = { QUOTE_TTL_SECONDS: 600, PERMIT_TTL_SECONDS: 3_600 }
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-shield-book-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function load(content: unknown, { now = NOW, ...lifetimes } = {}) {
  const path = join(folder, 'book.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  const variables = { ...LIFETIMES, ...lifetimes, SHIELD_BOOK: path }
  return loadShieldBook(variables, { environment: 'DEVELOPMENT' }, now)
}

const signed = (change: object = {}) => ({ book: { ...BOOK, ...change }, signature: '0x12' })

test('default: a book is served as it is, and no variable is no book', async () => {
  expect(await load(signed())).toEqual({ text: JSON.stringify(signed()), doubts: [] })
  expect(await loadShieldBook(LIFETIMES, { environment: 'PRODUCTION' })).toBeNull()
})

test.each<[string, unknown, RegExp]>([
  ['no JSON', '{', /is no shield book of this version/],
  ['another file', {}, /is no shield book of this version/],
  ['another format', signed({ format: 2 }), /is no shield book of this version/],
  ['no signature', { book: BOOK }, /is no shield book of this version/],
  ['another environment', signed({ environment: 'PRODUCTION' }), /is for PRODUCTION, and the/],
  ['an expired one', signed({ expiresAt: NOW }), /has expired/],
])('error: %s', async (_, content, message) => {
  await expect(load(content)).rejects.toThrow(message)
})

test('error: a file that is not there', async () => {
  const missing = { ...LIFETIMES, SHIELD_BOOK: join(folder, 'missing.json') }
  const loading = loadShieldBook(missing, { environment: 'DEVELOPMENT' })
  await expect(loading).rejects.toThrow('cannot be read')
})

test.each<[string, object, RegExp]>([
  ['it expires soon', { now: BOOK.expiresAt - 86_400 }, /^SHIELD_BOOK expires on 2096-10-02/],
  ['permits last longer', { PERMIT_TTL_SECONDS: 7_201 }, /^SHIELD_BOOK allows deadlines of 7200 s/],
  ['quotes last longer', { QUOTE_TTL_SECONDS: 86_400 }, /TTL_SECONDS is 86400: clients refuse/],
])('behavior: a warning where %s', async (_, change, message) => {
  const loaded = await load(signed(), change)
  expect(loaded?.doubts.map((doubt) => doubt.message)).toEqual([expect.stringMatching(message)])
})
