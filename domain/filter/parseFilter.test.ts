import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { arbitraryFilterText, EXAMPLE_FILTER_KEYS } from '../../test/support/arbitraryFilter.ts'
import { formatFilter } from '../../test/support/formatFilter.ts'
import { ServiceError } from '../error/serviceError.ts'
import { parseFilter } from './parseFilter.ts'

const parse = (text: string) => parseFilter(text, EXAMPLE_FILTER_KEYS)
const comparison = (key: string, value: unknown, operator = '=') => ({
  type: 'comparison',
  key,
  operator,
  value,
})

function violationOf(text: string): string {
  try {
    parse(text)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    expect(error).toMatchObject({ reason: 'INVALID_FILTER', code: 400 })
    expect(error.fieldViolations).toMatchObject([{ field: 'filter' }])
    return error.fieldViolations[0]?.description ?? ''
  }
  throw new Error(`accepted: ${text}`)
}

describe('parseFilter', () => {
  test('default', () => {
    expect(parse('status = OPEN AND chain != 1')).toEqual({
      type: 'and',
      operands: [comparison('status', 'OPEN'), comparison('chain', 1, '!=')],
    })
  })

  test.each([
    ['no spaces', 'chain=1', comparison('chain', 1)],
    ['spaces and new lines', ' \n chain\t!=  -2 ', comparison('chain', -2, '!=')],
    ['a synonym', 'chainId=1', comparison('chain', 1)],
    [
      'an address of any case',
      `asset=0x${'AB'.repeat(20)}`,
      comparison('asset', `0x${'ab'.repeat(20)}`),
    ],
    [
      'a quoted address',
      `asset="0x${'AB'.repeat(20)}"`,
      comparison('asset', `0x${'ab'.repeat(20)}`),
    ],
    ['a hash', `txHash=0x${'0F'.repeat(32)}`, comparison('txHash', `0x${'0f'.repeat(32)}`)],
    ['a boolean of any case', 'isKyt=True', comparison('isKyt', true)],
    ['a quoted enum value', 'status="DONE"', comparison('status', 'DONE')],
    ['an unquoted string', 'name=1:0xAb:7', comparison('name', '1:0xAb:7')],
    ['a number as a string', 'name=007', comparison('name', '007')],
    ['escapes', 'name="a \\"b\\" \\\\ c"', comparison('name', 'a "b" \\ c')],
    ['an empty string', 'name=""', comparison('name', '')],
    ['operators within quotes', 'name="x) OR chain=1"', comparison('name', 'x) OR chain=1')],
    ['a value that begins with a keyword', 'name=order', comparison('name', 'order')],
    ['needless parentheses', '((chain=1))', comparison('chain', 1)],
    ['16 of them', `${'('.repeat(16)}chain=1${')'.repeat(16)}`, comparison('chain', 1)],
  ])('behavior: accepts %s', (_, text, expected) => {
    expect(parse(text)).toEqual(expected)
  })

  test.each([
    ['name=a or name=b and name=c', 'name = "a" OR name = "b" AND name = "c"'],
    ['(name=a OR name=b) AnD name=c', '(name = "a" OR name = "b") AND name = "c"'],
    ['name=a AND (name=b AND name=c)', 'name = "a" AND name = "b" AND name = "c"'],
  ])('behavior: AND binds tighter than OR: %s', (text, expected) => {
    const filter = parse(text)
    expect(filter && formatFilter(filter)).toBe(expected)
  })

  test('behavior: precedence shows in the tree', () => {
    expect(parse('name=a OR name=b AND name=c')).toEqual({
      type: 'or',
      operands: [
        comparison('name', 'a'),
        { type: 'and', operands: [comparison('name', 'b'), comparison('name', 'c')] },
      ],
    })
  })

  test.each(['', '   ', '\n'])('behavior: a blank one (%j) filters nothing', (text) => {
    expect(parse(text)).toBeNull()
  })

  test('behavior: the longest chain is one flat list', () => {
    const text = Array.from({ length: 205 }, () => 'name=a').join(' OR ')
    expect(text.length).toBeLessThanOrEqual(2_048)
    expect(parse(text)).toMatchObject({ type: 'or', operands: { length: 205 } })
  })

  test.each([
    ['chain', 6, 'expected = or !='],
    ['chain 1', 7, 'expected = or !='],
    ['chain=', 7, 'expected a value'],
    ['chain==1', 7, 'expected a value'],
    ['name=and', 6, 'expected a value'],
    ['chain=1 chain=2', 9, 'expected AND, OR or the end'],
    ['chain=1)', 8, 'expected AND, OR or the end'],
    ['(chain=1', 9, 'expected AND, OR or )'],
    ['()', 2, 'expected a key or ('],
    ['chain=1 AND', 12, 'expected a key or ('],
    ['OR chain=1', 1, 'expected a key or ('],
    ['"chain"=1', 1, 'expected a key or ('],
    ['not chain=1', 5, 'expected = or !='],
    ['chain<1', 6, 'unexpected "<"'],
    ['chain!1', 6, 'expected !='],
    ["status='OPEN'", 8, 'expected double quotes'],
    ['name="open', 6, 'expected a closing quote'],
    ['name="a\\n"', 6, 'expected a closing quote'],
    ['name="a\0"', 6, 'U+0000'],
    ['name=a\0', 7, 'unexpected "\\u0000"'],
    ['user=1', 1, 'allowed are asset, chain, chainId, status, txHash, index, isKyt, name'],
    ['constructor=1', 1, 'unknown key constructor'],
    ['__proto__=1', 1, 'unknown key __proto__'],
    ['Chain=1', 1, 'unknown key Chain'],
    ['chain="1"', 7, 'chain expects an integer'],
    ['chainId=x', 9, 'chainId expects an integer'],
    ['chain=1.5', 7, 'expects an integer'],
    ['chain=1e3', 7, 'expects an integer'],
    ['chain=01', 7, 'expects an integer'],
    ['chain=-0', 7, 'expects an integer'],
    ['chain=9007199254740992', 7, 'expects an integer'],
    ['index=-1', 7, 'index expects a decimal number'],
    ['index=1.5', 7, 'index expects a decimal number'],
    ['index=0x1', 7, 'index expects a decimal number'],
    [`index=${2n ** 256n}`, 7, 'index expects a decimal number'],
    ['isKyt=1', 7, 'expects a boolean'],
    ['asset=0x12', 7, 'expects an address'],
    [`txHash=0x${'ab'.repeat(20)}`, 8, 'expects a hash'],
    ['status=open', 8, 'expects one of OPEN, DONE'],
    [`${'('.repeat(17)}chain=1${')'.repeat(17)}`, 17, 'at most 16 nested'],
    [`${'('.repeat(1_000)}`, 17, 'at most 16 nested'],
    [`name="${'x'.repeat(2_048)}"`, 2_049, 'at most 2048 characters'],
  ])('error: %j at column %i', (text, column, expected) => {
    const violation = violationOf(text)
    expect(violation).toMatch(new RegExp(`^column ${column}: `))
    expect(violation).toContain(expected)
  })

  test('behavior: any text gives a filter or INVALID_FILTER', () => {
    const fragment = fc.constantFrom(
      '(',
      ')',
      '=',
      '!=',
      '"',
      '\\',
      ' AND ',
      ' or ',
      'chain',
      'name',
      '1',
      '0x',
      ' ',
      '\0',
      '😀',
    )
    const mutated = fc
      .tuple(
        arbitraryFilterText,
        fc.nat(),
        fc.nat(8),
        fc.oneof(fragment, fc.string({ unit: 'binary' })),
      )
      .map(([text, at, removed, inserted]) => {
        const start = at % (text.length + 1)
        return text.slice(0, start) + inserted + text.slice(start + removed)
      })
    const soup = fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join(''))
    let accepted = 0
    fc.assert(
      fc.property(fc.oneof(mutated, mutated, soup, fc.string({ unit: 'binary' })), (text) => {
        try {
          parse(text)
          accepted += 1
        } catch (error) {
          if (!(error instanceof ServiceError) || error.reason !== 'INVALID_FILTER') throw error
        }
      }),
      { numRuns: 10_000 },
    )
    expect(accepted).toBeGreaterThan(100)
  })
})

describe('formatFilter', () => {
  test('behavior: parses back to the same filter', () => {
    fc.assert(
      fc.property(arbitraryFilterText, (text) => {
        const filter = parse(text)
        const formatted = filter ? formatFilter(filter) : ''
        fc.pre(formatted.length <= 2_048)
        expect(filter).not.toBeNull()
        expect(parse(formatted)).toEqual(filter)
      }),
      { numRuns: 2_000 },
    )
  })
})
