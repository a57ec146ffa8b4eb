import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { chainOf, openBook, type ShieldBook, stationOf, tokenOf, vaultOf } from './book.ts'
import { checkCall } from './checkCall.ts'

const operator = privateKeyToAccount(`0x${'01'.repeat(32)}`)
const thief = privateKeyToAccount(`0x${'02'.repeat(32)}`)
const now = Math.floor(Date.now() / 1_000)
const book: ShieldBook = {
  format: 1,
  environment: 'PRODUCTION',
  issuedAt: now,
  expiresAt: now + 100,
  maxDeadlineSeconds: 7_200,
  chains: [{ id: 1, name: 'Ethereum', station: null, smartDepositFactories: [] }],
  tokens: [{ chainId: 1, address: `0x${'11'.repeat(20)}`, symbol: 'USDC', decimals: 6 }],
  vaults: [],
}
const signers = [operator.address]

async function signed(content: ShieldBook, by = operator) {
  return { book: content, signature: await by.signMessage({ message: JSON.stringify(content) }) }
}

test('default: a book that a pinned account has signed, also among several', async () => {
  const source = { book: await signed(book), signers: [thief.address, operator.address] }
  const opened = await openBook(source)
  expect(opened).toEqual(book)
  expect(await openBook(source)).toBe(opened)
})

test('error: another signer, a changed book, no signature, an older book', async () => {
  const refused = { name: 'ShieldError', reason: 'BOOK_NOT_SIGNED' }
  const good = await signed(book)
  await expect(openBook({ book: await signed(book, thief), signers })).rejects.toMatchObject(
    refused,
  )
  const changed = { ...good, book: { ...book, maxDeadlineSeconds: 9_999_999 } }
  await expect(openBook({ book: changed, signers })).rejects.toMatchObject(refused)
  await expect(openBook({ book: { ...good, signature: '0x' }, signers })).rejects.toMatchObject(
    refused,
  )
  await expect(openBook({ book: good, signers: [] })).rejects.toMatchObject(refused)
  await expect(openBook({ book: good, signers, notBefore: now + 1 })).rejects.toMatchObject(refused)
  const other = await signed({ ...book, format: 2 as 1 })
  await expect(openBook({ book: other, signers })).rejects.toMatchObject(refused)
})

test('error: a book of another environment than the app', async () => {
  const refused = { name: 'ShieldError', reason: 'BOOK_NOT_SIGNED' }
  const local = await signed({ ...book, environment: 'DEVELOPMENT' })
  await expect(openBook({ book: local, signers })).rejects.toMatchObject(refused)
  const opened = await openBook({ book: local, signers, environment: 'DEVELOPMENT' })
  expect(opened.environment).toBe('DEVELOPMENT')
  const production = { book: await signed(book), signers, environment: 'DEVELOPMENT' }
  await expect(openBook(production)).rejects.toMatchObject(refused)
})

test('error: an older book than one of the same signers that was opened, also one opened before', async () => {
  const rotated = [thief.address, operator.address]
  const older = { book: await signed(book), signers: rotated }
  await openBook(older)
  const newer = await signed({ ...book, issuedAt: now + 1 })
  await openBook({ book: newer, signers: [...rotated].reverse() })
  for (const source of [older, { book: await signed(book), signers: rotated }])
    await expect(openBook(source)).rejects.toMatchObject({ reason: 'BOOK_NOT_SIGNED' })
  expect((await openBook({ book: await signed(book), signers })).issuedAt).toBe(now)
})

test('behavior: one reading serves every source of a book, and each source is checked', async () => {
  const given = await signed(book)
  const refused = openBook({ book: given, signers: [thief.address] })
  await expect(refused).rejects.toMatchObject({ reason: 'BOOK_NOT_SIGNED' })
  const opened = await openBook({ book: given, signers })
  expect(await openBook({ book: given, signers: [...signers] })).toBe(opened)
  const late = openBook({ book: given, signers, notBefore: now + 1 })
  await expect(late).rejects.toMatchObject({ reason: 'BOOK_NOT_SIGNED' })
})

test('behavior: a copy that is changed after it was opened changes nothing', async () => {
  const given = await signed({ ...book, chains: [...book.chains] })
  const opened = await openBook({ book: given, signers })
  Object.assign(given.book, { chains: [] })
  expect(chainOf(opened, 1).name).toBe('Ethereum')
})

test('error: an expired book, when it is opened and at every check', async () => {
  const expired = { name: 'ShieldError', reason: 'BOOK_EXPIRED' }
  const old = await signed({ ...book, expiresAt: now - 1 })
  await expect(openBook({ book: old, signers })).rejects.toMatchObject(expired)
  const opened = await openBook({ book: await signed(book), signers })
  const words = { kind: 'cancel', account: operator.address, chainId: 1, orderIndex: 1n } as const
  const intent = { ...words, vaultAddress: `0x${'22'.repeat(20)}` } as const
  const call = { chainId: 1, to: intent.vaultAddress, value: 0n, data: '0x' }
  await expect(checkCall(opened, intent, call, { now: now + 101 })).rejects.toMatchObject(expired)
})

test('error: what is not in the book', async () => {
  const opened = await openBook({ book: await signed(book), signers })
  const missing = expect.objectContaining({ reason: 'NOT_IN_BOOK' })
  const stranger = `0x${'33'.repeat(20)}` as const
  expect(() => chainOf(opened, 2)).toThrow(missing)
  expect(() => stationOf(opened, 1)).toThrow(missing)
  expect(() => tokenOf(opened, 2, book.tokens[0]?.address ?? '0x')).toThrow(missing)
  expect(() => tokenOf(opened, 1, stranger)).toThrow(missing)
  expect(() => vaultOf(opened, 1, stranger)).toThrow(missing)
})
