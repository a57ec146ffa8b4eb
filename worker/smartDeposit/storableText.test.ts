import { expect, test } from 'vitest'
import { storableText } from './storableText.ts'

test('behavior: a text that was cut within a character is one that JSON in Postgres can have', () => {
  const cut = `${'a'.repeat(31)}😀`.slice(0, 32)
  expect(cut.isWellFormed()).toBe(false)
  expect(storableText(cut)).toBe(`${'a'.repeat(31)}\ufffd`)
  expect(storableText(`${'a'.repeat(499)}😀`).isWellFormed()).toBe(true)
})

test('behavior: no U+0000, and no more than 500 characters', () => {
  expect(storableText(`a\0${'b'.repeat(600)}`)).toBe(`a${'b'.repeat(499)}`)
})
