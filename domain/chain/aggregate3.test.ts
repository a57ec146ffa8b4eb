import fc from 'fast-check'
import {
  BaseError,
  bytesToHex,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  multicall3Abi,
} from 'viem'
import { expect, test } from 'vitest'
import { decodeAggregate3, encodeAggregate3, sizeInAggregate } from './aggregate3.ts'

const functionName = 'aggregate3'
const bytes = fc.uint8Array({ maxLength: 100 }).map((given) => bytesToHex(given))
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((given) => bytesToHex(given))
const calls = fc.array(fc.record({ to: address, data: bytes }))
const results = fc.array(fc.record({ success: fc.boolean(), returnData: bytes }))
const answerOf = (result: { success: boolean; returnData: Hex }[]) =>
  encodeFunctionResult({ abi: multicall3Abi, functionName, result })

test('law: calls are encoded as viem encodes them, in the computed size', () => {
  fc.assert(
    fc.property(calls, (given) => {
      const encoded = encodeAggregate3(given)
      const asViemHasThem = given.map(({ to: target, data: callData }) => ({
        target,
        callData,
        allowFailure: true,
      }))
      expect(encoded).toBe(
        encodeFunctionData({ abi: multicall3Abi, functionName, args: [asViemHasThem] }),
      )
      const size = given.reduce((sum, call) => sum + sizeInAggregate(call), 0)
      expect((encoded.length - 2) / 2).toBe(4 + 2 * 32 + size)
    }),
  )
})

test('law: answers come back in their order, null for a reverted call', () => {
  fc.assert(
    fc.property(results, (given) => {
      expect(decodeAggregate3(answerOf(given), given.length)).toEqual(
        given.map(({ success, returnData }) => (success ? returnData : null)),
      )
    }),
  )
})

test('law: garbage, or the answer to other calls, is a failure of the node', () => {
  fc.assert(
    fc.property(results, fc.nat(), (given, at) => {
      const answer = answerOf([...given, { success: true, returnData: '0x0102' }])
      // Only the padding of the last word may be missing.
      const cut = answer.slice(0, at % (answer.length - 60)) as Hex
      expect(() => decodeAggregate3(cut, given.length + 1)).toThrow(BaseError)
      expect(() => decodeAggregate3(answer, given.length)).toThrow(BaseError)
    }),
  )
})
