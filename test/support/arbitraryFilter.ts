import fc from 'fast-check'
import type { FilterKeys } from '../../domain/filter/filter.ts'

/** One key of every type, over few values, so that random filters match some rows. */
export const EXAMPLE_FILTER_KEYS = {
  asset: { type: 'address' },
  chain: { type: 'integer' },
  chainId: { type: 'integer', aliasOf: 'chain' },
  status: { type: 'enum', values: ['OPEN', 'DONE'] },
  txHash: { type: 'hash' },
  index: { type: 'amount' },
  isKyt: { type: 'boolean' },
  name: { type: 'string' },
} as const satisfies FilterKeys

export const EXAMPLE_VALUES = {
  asset: [`0x${'ab'.repeat(20)}`, `0x${'cd'.repeat(20)}`],
  chain: [1, 4663, -2],
  status: ['OPEN', 'DONE'],
  txHash: [`0x${'0f'.repeat(32)}`, `0x${'10'.repeat(32)}`],
  index: [
    '0',
    '7',
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  ],
  isKyt: [true, false],
  name: [
    'plain',
    'two words',
    'a "quoted" \\ one',
    "Robert'); drop table row; --",
    'ünï😀',
    '',
    'or',
  ],
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}

const space = fc.constantFrom('', ' ', '  ', '\t', '\n')
const comparison = fc
  .oneof(
    fc.record({ key: fc.constant('asset'), value: anyCase(EXAMPLE_VALUES.asset) }),
    fc.record({
      key: fc.constantFrom('chain', 'chainId'),
      value: fc.constantFrom(...EXAMPLE_VALUES.chain.map(String), '9007199254740991'),
    }),
    fc.record({ key: fc.constant('status'), value: fc.constantFrom('OPEN', '"DONE"') }),
    fc.record({ key: fc.constant('txHash'), value: anyCase(EXAMPLE_VALUES.txHash) }),
    fc.record({
      key: fc.constant('index'),
      value: fc.constantFrom(...EXAMPLE_VALUES.index, '"7"', '007'),
    }),
    fc.record({ key: fc.constant('isKyt'), value: fc.constantFrom('true', 'FALSE') }),
    fc.record({
      key: fc.constant('name'),
      value: fc.constantFrom('plain', '12', 'true', ...EXAMPLE_VALUES.name.map(quote)),
    }),
  )
  .chain(({ key, value }) =>
    fc
      .tuple(space, fc.constantFrom('=', '!='), space)
      .map(([before, operator, after]) => `${key}${before}${operator}${after}${value}`),
  )

function anyCase(values: readonly string[]) {
  return fc.constantFrom(...values, ...values.map((value) => `0x${value.slice(2).toUpperCase()}`))
}

/** Expressions that `parseFilter` accepts with `EXAMPLE_FILTER_KEYS`. */
export const arbitraryFilterText: fc.Arbitrary<string> = fc
  .letrec<{ any: string; group: string; chain: string }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      comparison,
      tie('chain'),
      tie('group'),
    ),
    group: tie('any').map((inner) => `(${inner})`),
    chain: fc
      .tuple(tie('any'), fc.constantFrom(' AND ', ' or ', '\nand\t', ' OR '), tie('any'))
      .map((parts) => parts.join('')),
  }))
  .any.filter((text) => text.length <= 1_000)
