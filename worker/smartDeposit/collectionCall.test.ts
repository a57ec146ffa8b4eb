import fc from 'fast-check'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { FACTORY_GENERATIONS, type FactoryGeneration } from '../../abis/smartDeposit.ts'
import { returnCall } from '../../domain/smartDeposit/settlementCall.ts'
import { membersOf, withMembers } from './collectionCall.ts'

const ADDRESS = `0x${'a1'.repeat(20)}` as const
const hash = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}` as const)

const callOf = (payment: Hex, generation: FactoryGeneration = 'A') =>
  returnCall(
    'refund',
    {
      factory: ADDRESS,
      generation,
      addressChainId: 1,
      userDestinationAddress: ADDRESS,
      vaultAddress: ADDRESS,
      inputToken: ADDRESS,
      customerId: null,
      organizationId: null,
    },
    { payment, token: ADDRESS, amount: 1n },
  )

describe('membersOf', () => {
  test.each(FACTORY_GENERATIONS)(
    'default: the payment ids behind the arguments, whatever they are, in generation %s',
    (generation) => {
      fc.assert(
        fc.property(fc.array(hash, { minLength: 1, maxLength: 5 }), (ids) => {
          const [lead = '0x'] = ids
          const call = withMembers(
            callOf(lead, generation),
            ids.map((paymentId) => ({ paymentId })),
          )
          expect(membersOf(call.data)).toEqual(ids)
        }),
      )
    },
  )

  test('behavior: none of a plain call, nor of a call of another contract', () => {
    expect(membersOf(callOf(`0x${'11'.repeat(32)}`).data)).toEqual([])
    expect(membersOf('0x12345678')).toEqual([])
  })
})
