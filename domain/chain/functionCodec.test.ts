import fc from 'fast-check'
import { decodeAbiParameters, encodeAbiParameters, type Hex, parseAbi, parseAbiItem } from 'viem'
import { describe, expect, test } from 'vitest'
import { functionCodec } from './functionCodec.ts'

const TYPES = ['address', 'bool', 'uint8', 'uint48', 'uint56', 'uint64', 'uint256']
const OTHERS = ['int24', 'int256', 'bytes4', 'bytes32', 'bytes', 'string', 'uint256[]', 'bool[2]']

const word = fc.oneof(
  fc.constantFrom('0', '1', '2', '20', '20000000000001', '1fffffffffffff'),
  fc.stringMatching(/^[0-9a-f]{1,64}$/),
)
const words = fc.array(word.map((digits) => digits.padStart(64, '0')))
const answers = fc
  .tuple(words, fc.stringMatching(/^([0-9a-f]{2}){0,31}$/))
  .map(([whole, rest]): Hex => `0x${whole.join('')}${rest}`)
const outputs = fc.array(fc.constantFrom(...TYPES, ...OTHERS), { minLength: 1, maxLength: 3 })

describe('what a function answers', () => {
  test('law: decodes like viem, and to null if viem throws', () => {
    fc.assert(
      fc.property(outputs, answers, (types, answer) => {
        const { decode } = functionCodec(abiOf(types), 'get')
        expect(decode(answer)).toEqual(byViem(types, answer))
      }),
      { numRuns: 2_000 },
    )
  })

  test.each(TYPES)('default: %s, alone and beside others', (type) => {
    const value = { address: `0x${'aa'.repeat(20)}`, bool: true }[type] ?? 7n
    const small = ['uint8', 'uint48'].includes(type) ? 7 : value
    const answer = encodeAbiParameters([{ type }, { type: 'bool' }], [value, false])
    const alone = functionCodec(abiOf([type]), 'get').decode(answer)
    expect(alone).toEqual(byViem([type], answer))
    if (type !== 'address') expect(alone).toBe(small)
    expect(functionCodec(abiOf([type, 'bool']), 'get').decode(answer)).toEqual([alone, false])
  })
})

describe('a call', () => {
  const abi = parseAbi([
    'function balanceOf(address) view returns (uint256)',
    'function twice() view returns (bool)',
    'function twice(bool) view returns (bool)',
  ])

  test('default: the selector and the arguments', () => {
    const { encode } = functionCodec(abi, 'balanceOf')
    expect(encode([`0x${'11'.repeat(20)}`])).toBe(`0x70a08231${'11'.repeat(20).padStart(64, '0')}`)
    expect(functionCodec(abi, 'balanceOf')).toBe(functionCodec(abi, 'balanceOf'))
  })

  test('error: a function that is not there, or that is there twice', () => {
    expect(() => functionCodec(abi, 'no')).toThrow('no is not in the ABI exactly once')
    expect(() => functionCodec(abi, 'twice')).toThrow('twice is not in the ABI exactly once')
  })
})

function abiOf(types: string[]) {
  // Cast, because viem has no type for a signature that is only known at run time.
  return [parseAbiItem(`function get() view returns (${types.join(', ')})` as string)] as never
}

function byViem(types: string[], answer: Hex): unknown {
  try {
    const values = decodeAbiParameters(
      types.map((type) => ({ type })),
      answer,
    )
    return values.length === 1 ? values[0] : values
  } catch {
    return null
  }
}
