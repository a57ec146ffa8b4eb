import fc from 'fast-check'
import { type Address, decodeFunctionData, size, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type FactoryGeneration, smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { type Planned, toTransactions, transactionOf } from './batches.ts'

const MAX_GAS = 3_000_000
const MOST_PARTS = 20
const LIMITS = { mostParts: MOST_PARTS, maxGas: MAX_GAS }

type Drawn = {
  generation: FactoryGeneration
  factory: Address
  gas: number
  tries: number
  isCollection: boolean
}

const drawn = fc.record<Drawn>({
  generation: fc.constantFrom('A', 'B'),
  factory: fc.constantFrom(`0x${'fa'.repeat(20)}`, `0x${'fb'.repeat(20)}`),
  gas: fc.integer({ min: 50_000, max: MAX_GAS }),
  tries: fc.constantFrom(0, 0, 0, 1),
  isCollection: fc.constantFrom(false, false, false, true),
})

describe('toTransactions', () => {
  test('default: each settlement once, within the ceiling, only what may share a transaction shares one', () => {
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 80 }), (all) => {
        const planned = all.map(plannedOf)
        const transactions = toTransactions(planned, LIMITS)
        const ids = transactions.flat().map(({ due }) => due.deposit.paymentId)
        expect(ids.toSorted()).toEqual(planned.map(({ due }) => due.deposit.paymentId).toSorted())
        for (const some of transactions.filter(({ length }) => length > 1)) {
          expect(some.length).toBeLessThanOrEqual(MOST_PARTS)
          expect(transactionOf(some).gas).toBeLessThanOrEqual(BigInt(MAX_GAS))
          expect(new Set(some.map(({ plan }) => plan.decision.call.to)).size).toBe(1)
          for (const { deposit, members } of some.map(({ due }) => due))
            expect([deposit.generation, deposit.tries, members]).toEqual(['B', 0, []])
        }
      }),
    )
  })

  test('behavior: not more than so many parts, however little gas they take', () => {
    const many = Array.from({ length: MOST_PARTS + 1 }, (_, index) => plannedOf(BASE, index))
    const sizes = toTransactions(many, { ...LIMITS, maxGas: 10 * MAX_GAS }).map(
      ({ length }) => length,
    )
    expect(sizes).toEqual([MOST_PARTS, 1])
  })

  test('behavior: a crowd of one kind leaves room for the other', () => {
    const of = (generation: FactoryGeneration) =>
      Array.from({ length: 10 }, (_, index) =>
        plannedOf({ ...BASE, generation, gas: MAX_GAS - 100_000 }, index),
      )
    const [first, second] = toTransactions([...of('A'), ...of('B')], LIMITS)
    expect([first, second].map((some) => some?.[0]?.due.deposit.generation)).toEqual(['B', 'A'])
  })
})

describe('transactionOf', () => {
  test('default: one alone by its own call, several as parts with their own gas limits', () => {
    const some = [60_000, 70_000].map((gas, index) => plannedOf({ ...BASE, gas }, index))
    const [first] = some
    if (!first) throw new Error('there is one')
    expect(transactionOf([first])).toEqual({ call: first.plan.decision.call, gas: 60_000n })
    const { call } = transactionOf(some)
    const { functionName, args } = decodeFunctionData({
      abi: smartDepositFactoryBAbi,
      data: call.data,
    })
    expect(functionName).toBe('settleMany')
    expect(args?.[0]).toEqual([
      expect.objectContaining({ gasLimit: 60_000n, value: 0n }),
      expect.objectContaining({ gasLimit: 70_000n, value: 0n }),
    ])
  })

  test('behavior: the limit pays for the data that is sent, all parts, and what a call keeps back', () => {
    for (const length of [2, 3, 20]) {
      const { call, gas } = transactionOf(
        Array.from({ length }, (_, index) => plannedOf(BASE, index)),
      )
      const ofParts = BigInt(length) * (BigInt(BASE.gas) + 50_000n)
      expect(gas).toBe(21_000n + BigInt(size(call.data)) * 16n + ofParts + ofParts / 63n)
    }
  })
})

const BASE: Drawn = {
  generation: 'B',
  factory: `0x${'fa'.repeat(20)}`,
  gas: 100_000,
  tries: 0,
  isCollection: false,
}

function plannedOf({ generation, factory, gas, tries, isCollection }: Drawn, index: number) {
  const paymentId = toHex(index, { size: 32 })
  const address = `0x${'a1'.repeat(20)}` as const
  const deposit = {
    paymentId,
    depositId: paymentId,
    factory,
    generation,
    tries,
    addressChainId: 1,
    userDestinationAddress: address,
    vaultAddress: address,
    inputToken: address,
    customerId: null,
    organizationId: null,
  } as KeeperDeposit
  const call = returnCall('refund', deposit, { payment: paymentId, token: address, amount: 1n })
  const decision = { kind: 'refund', call, why: 'the test wants it' } as const
  const members = isCollection ? [deposit] : []
  const plan = {
    kind: 'send',
    decision,
    gas: BigInt(gas),
    parts: new Map(),
    refusals: new Map(),
  } as const
  return { due: { deposit, members }, plan } satisfies Planned
}
