import { expect, test } from 'vitest'
import { formatTable } from './formatTable.ts'
import { printable } from './printable.ts'

const HOSTILE = 'a\u001b[2J\u009b31m\r\u0007\u007f\u202e\u2028\u{e0001}b'
const SHOWN = 'a\\u001b[2J\\u009b31m\\u000d\\u0007\\u007f\\u202e\\u2028\\udb40\\udc01b'

test('default: what a terminal would obey, or hide, is shown', () => {
  expect(printable(HOSTILE)).toBe(SHOWN)
  expect(printable('Zoë\n  “two”')).toBe('Zoë\n  “two”')
})

test('behavior: JSON stays the same JSON', () => {
  const value = { error: HOSTILE }
  expect(JSON.parse(printable(JSON.stringify(value, null, 2)))).toEqual(value)
})

test('behavior: a cell of a table has one line, however many its text has', () => {
  const table = formatTable([{ error: `${HOSTILE}\nkey  0xok` }], '')
  expect(table.split('\n')).toEqual(['error', `${SHOWN}\\nkey  0xok`])
})
