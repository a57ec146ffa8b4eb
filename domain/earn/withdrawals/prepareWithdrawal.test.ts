import fc from 'fast-check'
import { decodeFunctionData, keccak256, zeroHash } from 'viem'
import { describe, expect, test } from 'vitest'
import { tellerAbi } from '../../../abis/teller.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import {
  arbitraryBytes,
  arbitraryUint,
  expectStructuredToEncode,
  lowerCased,
} from '../../../test/support/arbitraryCalldata.ts'
import {
  type AtomicWithdrawal,
  prepareAtomic,
  prepareCancellation,
  prepareRequest,
  type RequestTerms,
} from './prepareWithdrawal.ts'

const CONTRACT = `0x${'de'.repeat(20)}` as const
const address = arbitraryBytes(20)
const orders = fc.record<RequestTerms>({
  amountOffer: arbitraryUint(256n),
  wantAsset: address,
  intendedDepositor: address,
  receiver: address,
  refundReceiver: address,
})
const functions = fc.constantFrom('submitOrder' as const, 'submitOrderAndProcessAll' as const)
const atomics = fc.record<AtomicWithdrawal>({
  wantAsset: address,
  shareAmount: arbitraryUint(256n),
  minimumAssets: arbitraryUint(256n),
  receiver: address,
})

const golden: RequestTerms = {
  amountOffer: 5_000_000n,
  wantAsset: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  intendedDepositor: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  receiver: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  refundReceiver: '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
}
const unsigned = {
  approvalMethod: 0,
  approvalV: 0,
  approvalR: zeroHash,
  approvalS: zeroHash,
  submitWithSignature: false,
  deadline: 0n,
  eip2612Signature: '0x',
}

/** The selectors are those of the deployed contracts; the hashes were taken once and must not change. */
describe('prepareRequest', () => {
  test.each([
    [
      'submitOrder',
      '0x13bd894c',
      '0x2fb17a267f2a7af726d766c59e8a363d2d8408a836db15183460594514328530',
    ],
    [
      'submitOrderAndProcessAll',
      '0x4b46b550',
      '0xf46486dfba8469ad4f8278ae22559f2667644bda7f89149e3f8dd66f5297a6c4',
    ],
  ] as const)('default: the golden vector of %s', (functionName, selector, hash) => {
    const call = prepareRequest(CONTRACT, golden, functionName)
    expect(call).toMatchObject({ to: CONTRACT, value: 0n, functionName })
    expect(call.data.slice(0, 10)).toBe(selector)
    expect(keccak256(call.data)).toBe(hash)
    expect(call.args).toEqual([
      {
        amountOffer: '5000000',
        wantAsset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
        intendedDepositor: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        refundReceiver: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
        signatureParams: { ...unsigned, approvalMethod: '0', approvalV: '0', deadline: '0' },
      },
    ])
  })

  test('behavior: whatever is ordered is what the queue decodes, signed by nobody', () => {
    fc.assert(
      fc.property(orders, functions, (order, functionName) => {
        const { data } = prepareRequest(CONTRACT, order, functionName)
        const decoded = decodeFunctionData({ abi: withdrawQueueAbi, data })
        expect(decoded.functionName).toBe(functionName)
        expect(lowerCased(decoded.args)).toEqual(
          lowerCased([{ ...order, signatureParams: unsigned }]),
        )
      }),
    )
  })

  test('behavior: its abi, name and arguments make its data', () => {
    fc.assert(
      fc.property(orders, functions, (order, name) =>
        expectStructuredToEncode(prepareRequest(CONTRACT, order, name)),
      ),
    )
  })
})

describe('prepareAtomic', () => {
  test('default: the golden vector', () => {
    const { wantAsset, receiver } = golden
    const call = prepareAtomic(CONTRACT, {
      wantAsset,
      receiver,
      shareAmount: 7n,
      minimumAssets: 6n,
    })
    expect(call).toMatchObject({ to: CONTRACT, value: 0n, functionName: 'bulkWithdraw' })
    expect(call.data).toBe(
      `0x3e64ce99${word(wantAsset)}${word('0x07')}${word('0x06')}${word(receiver)}`,
    )
  })

  test('behavior: whatever is withdrawn is what the teller decodes', () => {
    fc.assert(
      fc.property(atomics, (withdrawal) => {
        const call = prepareAtomic(CONTRACT, withdrawal)
        const decoded = decodeFunctionData({ abi: tellerAbi, data: call.data })
        expect(lowerCased(decoded.args)).toEqual(lowerCased(Object.values(withdrawal)))
        expectStructuredToEncode(call)
      }),
    )
  })
})

describe('prepareCancellation', () => {
  test('behavior: whatever is cancelled is what the queue decodes', () => {
    fc.assert(
      fc.property(arbitraryUint(256n), (orderIndex) => {
        const call = prepareCancellation(CONTRACT, orderIndex)
        expect(call.data).toBe(`0x514fcac7${orderIndex.toString(16).padStart(64, '0')}`)
        expect(call.args).toEqual([String(orderIndex)])
        expectStructuredToEncode(call)
      }),
    )
  })
})

function word(hex: `0x${string}`): string {
  return hex.slice(2).padStart(64, '0')
}
