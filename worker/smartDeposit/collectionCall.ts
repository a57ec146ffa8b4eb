import { concatHex, decodeFunctionData, encodeFunctionData, type Hex, size, sliceHex } from 'viem'
import { smartDepositFactoryAbi, smartDepositFactoryBAbi } from '../../abis/smartDeposit.ts'
import type { KeeperDeposit } from '../../domain/smartDeposit/keeperDeposit.ts'
import type { FactoryCall } from '../../domain/smartDeposit/settlementCall.ts'

/**
 * The call with the payment ids of those that are settled together behind its arguments, which the factory does not
 * read: the chain itself shows whose payments the transaction settled, also if the database is lost.
 */
export function withMembers(
  { data, ...call }: FactoryCall,
  members: readonly Pick<KeeperDeposit, 'paymentId'>[],
): FactoryCall {
  return { ...call, data: concatHex([data, ...members.map(({ paymentId }) => paymentId)]) }
}

const abi = [...smartDepositFactoryAbi, ...smartDepositFactoryBAbi] as const

/** The payment ids behind the arguments of a call of the factory; none if it is another call. */
export function membersOf(data: Hex): Hex[] {
  try {
    const call = encodeFunctionData({ abi, ...decodeFunctionData({ abi, data }) })
    const count = (size(data) - size(call)) / 32
    return Array.from({ length: count }, (_, index) => {
      const from = size(call) + index * 32
      return sliceHex(data, from, from + 32)
    })
  } catch {
    return []
  }
}
