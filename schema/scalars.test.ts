import { readFile } from 'node:fs/promises'
import { type GraphQLScalarType, isScalarType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { schema } from './schema.ts'

function scalar(name: string): GraphQLScalarType {
  const type = schema.getType(name)
  if (!isScalarType(type)) throw new Error(`${name} is not a scalar`)
  return type
}

const LOWER = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const CHECKSUM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

describe('Address', () => {
  test('default', () => {
    expect(scalar('Address').parseValue(CHECKSUM)).toBe(LOWER)
    expect(scalar('Address').serialize(LOWER)).toBe(CHECKSUM)
  })

  test('behavior: a wrong checksum and upper case are taken', () => {
    expect(scalar('Address').parseValue(CHECKSUM.replace('dA', 'Da'))).toBe(LOWER)
    expect(scalar('Address').parseValue(`0x${LOWER.slice(2).toUpperCase()}`)).toBe(LOWER)
  })

  test.each([LOWER.slice(0, -1), `${LOWER}0`, LOWER.slice(2), 'x', '', 1, null, {}])(
    'error: %j',
    (value) => {
      expect(() => scalar('Address').parseValue(value)).toThrow()
    },
  )
})

describe('PayableAddress', () => {
  test.each([CHECKSUM, LOWER, `0x${LOWER.slice(2).toUpperCase()}`])('default: %s', (value) => {
    expect(scalar('PayableAddress').parseValue(value)).toBe(LOWER)
  })

  test.each([CHECKSUM.replace('dA', 'Da'), LOWER.slice(0, -1), 1])('error: %j', (value) => {
    expect(() => scalar('PayableAddress').parseValue(value)).toThrow('checksum')
  })
})

describe('UnixTime', () => {
  test.each([0, 1_700_000_000, '1700000000', 99_999_999_999])('default: %j', (value) => {
    expect(scalar('UnixTime').parseValue(value)).toBe(Number(value))
  })

  test.each([1_700_000_000_000, '1700000000000', 100_000_000_000])(
    'error: %j is in milliseconds',
    (value) => {
      expect(() => scalar('UnixTime').parseValue(value)).toThrow('milliseconds')
    },
  )
})

describe('Hash', () => {
  test('default', () => {
    const hash = `0x${'aB'.repeat(32)}`
    expect(scalar('Hash').parseValue(hash)).toBe(hash.toLowerCase())
    expect(scalar('Hash').serialize(hash)).toBe(hash.toLowerCase())
  })

  test.each([LOWER, `0x${'g'.repeat(64)}`, `0X${'a'.repeat(64)}`, 5])('error: %j', (value) => {
    expect(() => scalar('Hash').parseValue(value)).toThrow()
  })
})

describe('Amount', () => {
  test('default', () => {
    const largest = 2n ** 256n - 1n
    expect(scalar('Amount').serialize(largest)).toBe(largest.toString())
    expect(scalar('Amount').parseValue(largest.toString())).toBe(largest)
  })

  test.each(['-1', '1.5', '0x1', '', ' 1', 1, null])('error: %j', (value) => {
    expect(() => scalar('Amount').parseValue(value)).toThrow()
  })
})

test('behavior: DateTime has milliseconds and is UTC', () => {
  expect(scalar('DateTime').serialize(new Date(1_700_000_000_000))).toBe('2023-11-14T22:13:20.000Z')
})

const builtIn = ['Boolean', 'Float', 'ID', 'Int', 'String']
const ours = Object.values(schema.getTypeMap())
  .filter(isScalarType)
  .filter(({ name }) => !builtIn.includes(name))

test('behavior: a scalar with a public standard names it', () => {
  const named = ours.flatMap(({ name, specifiedByURL }) => (specifiedByURL ? [name] : []))
  expect(named.sort()).toEqual(['Address', 'DateTime', 'PayableAddress', 'PermitData'])
})

test('behavior: docs/api.md has the type of every scalar of ours, for generators', async () => {
  const page = await readFile(new URL('../docs/api.md', import.meta.url), 'utf8')
  const { scalars } = JSON.parse(/```json\n(\{\n {2}"strictScalars".+?)```/s.exec(page)?.[1] ?? '')
  expect(Object.keys(scalars).sort()).toEqual(ours.map(({ name }) => name).sort())
  expect(ours.filter(({ description }) => !description)).toEqual([])
})

test('behavior: every scalar of ours carries its JSON Schema', () => {
  expect(ours.map(({ name, extensions }) => [name, 'jsonSchema' in extensions])).toEqual(
    ours.map(({ name }) => [name, true]),
  )
})
