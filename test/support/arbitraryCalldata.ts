import fc from 'fast-check'
import { encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { expect } from 'vitest'
import type { PreparedCall } from '../../domain/call/preparedCall.ts'

/** Any bytes of a length. */
export const arbitraryBytes = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((array): Hex => `0x${Buffer.from(array).toString('hex')}`)

/** Any unsigned integer of so many bits. */
export const arbitraryUint = (bits: bigint) => fc.bigInt({ min: 0n, max: 2n ** bits - 1n })

/** Expects that its ABI, name and arguments, after JSON, encode to its data. */
export function expectStructuredToEncode(call: PreparedCall): void {
  const { abi, functionName, args } = JSON.parse(JSON.stringify({ ...call, value: null }))
  // Cast, because viem's types need the signature as a constant.
  expect(encodeFunctionData({ abi: parseAbi(abi), functionName, args } as never)).toBe(call.data)
  const texts = JSON.stringify(args).match(/"0x[0-9a-fA-F]{40}"/g) ?? []
  for (const text of texts) expect(text).toBe(`"${getAddress(JSON.parse(text))}"`)
  expectNoNumbers(args)
}

function expectNoNumbers(value: unknown): void {
  expect(typeof value).not.toBe('number')
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(expectNoNumbers)
}

/** For comparing what was encoded with what was decoded, whose addresses have checksums. */
export function lowerCased(value: unknown): unknown {
  const text = JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}n` : part))
  return JSON.parse(text.toLowerCase())
}
