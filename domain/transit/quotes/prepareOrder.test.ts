import fc from 'fast-check'
import { decodeFunctionData, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../../abis/transitStation.ts'
import {
  arbitraryBytes,
  arbitraryUint,
  expectStructuredToEncode,
  lowerCased,
} from '../../../test/support/arbitraryCalldata.ts'
import { type OrderCall, prepareOrder } from './prepareOrder.ts'

const calls = fc.record<OrderCall>({
  source: fc.record({ chainId: fc.nat(), station: arbitraryBytes(20) }),
  quote: fc.record({
    route: fc.record({
      destEID: fc.nat(2 ** 31 - 1),
      offerAsset: arbitraryBytes(20),
      wantAsset: arbitraryBytes(20),
    }),
    offerAmount: arbitraryUint(256n),
    receiver: arbitraryBytes(20),
    protocolFee: arbitraryUint(256n),
    integratorFee: arbitraryUint(256n),
    integratorFeeReceiver: arbitraryBytes(20),
    distributorCode: arbitraryBytes(32),
    deadline: arbitraryUint(256n),
    salt: arbitraryBytes(32),
  }),
  signature: arbitraryBytes(65),
  permit: fc.option(
    fc.record({
      deadline: arbitraryUint(256n),
      v: fc.constantFrom(27, 28),
      r: arbitraryBytes(32),
      s: arbitraryBytes(32),
    }),
  ),
  value: arbitraryUint(128n),
})

describe('prepareOrder', () => {
  const golden: OrderCall = {
    source: { chainId: 1, station: `0x${'5a'.repeat(20)}` },
    quote: {
      route: {
        destEID: 30_416,
        offerAsset: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
        wantAsset: '0x5fc5360d0400a0fd4f2af552add042d716f1d168',
      },
      offerAmount: 1_000_000_000n,
      receiver: '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      protocolFee: 890_000n,
      integratorFee: 1_000_000n,
      integratorFeeReceiver: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      distributorCode: `0x${'ab'.repeat(32)}`,
      deadline: 1_795_271_312n,
      salt: `0x${'5a'.repeat(32)}`,
    },
    signature: `0x${'11'.repeat(64)}1b`,
    permit: null,
    value: 12_345n,
  }

  test('default: the golden vector', () => {
    const call = prepareOrder(golden)
    expect(call).toMatchObject({
      to: golden.source.station,
      value: 12_345n,
      functionName: 'submitOrder',
    })
    expect(call.args).toEqual([
      {
        route: {
          destEID: '30416',
          offerAsset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
          wantAsset: '0x5fc5360D0400a0Fd4f2af552ADD042D716F1d168',
        },
        offerAmount: '1000000000',
        receiver: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
        protocolFee: '890000',
        integratorFee: '1000000',
        integratorFeeReceiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
        distributorCode: golden.quote.distributorCode,
        deadline: '1795271312',
        salt: golden.quote.salt,
      },
      golden.signature,
    ])
    expect(call.data.slice(0, 10)).toBe('0x3784896a')
    expect(keccak256(call.data)).toBe(
      '0x6fb945299ce5d2c0b0c11a76a5da98d3069c76b99935eb4623d8bbd6aa9804ff',
    )
  })

  test('default: the golden vector with a permit', () => {
    const permit = {
      deadline: 5n,
      v: 28,
      r: `0x${'22'.repeat(32)}`,
      s: `0x${'33'.repeat(32)}`,
    } as const
    const call = prepareOrder({ ...golden, permit })
    expect(call.functionName).toBe('submitOrderWithPermit')
    expect(call.args.slice(1)).toEqual([golden.signature, '5', '28', permit.r, permit.s])
    expect(call.data.slice(0, 10)).toBe('0x8432dc32')
    expect(keccak256(call.data)).toBe(
      '0x948045cdb535bb308a0df66560b1b8e99d5f0a30bd0c2f061323889b953ace8d',
    )
  })

  test('behavior: whatever is submitted is what the station decodes', () => {
    fc.assert(
      fc.property(calls, (call) => {
        const { data, functionName } = prepareOrder(call)
        const decoded = decodeFunctionData({ abi: transitStationAbi, data })
        expect(decoded.functionName).toBe(functionName)
        const { permit, quote, signature } = call
        const parts = permit ? [permit.deadline, permit.v, permit.r, permit.s] : []
        expect(lowerCased(decoded.args)).toEqual(lowerCased([quote, signature, ...parts]))
      }),
    )
  })

  test('behavior: its abi, name and arguments, which have survived JSON, make its data', () => {
    fc.assert(
      fc.property(calls, (call) => {
        expectStructuredToEncode(prepareOrder(call))
      }),
    )
  })
})
