import { type Address, type Hex, type Log, parseEventLogs } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { Keeper } from './keeper.ts'

/** A transfer to an address, by its place among the logs of its transaction. */
type Paid = { to: Address; amount: bigint; logPosition: number }

/**
 * The order that a transfer paid: the next execution of the station, if nothing else was sent to the address
 * before it. Null if none did.
 */
export function orderBehind(
  logs: readonly Log[],
  { chain: { transitStation } }: Pick<Keeper, 'chain'>,
  { to, amount, logPosition }: Paid,
): Hex | null {
  const station = transitStation?.address.toLowerCase()
  const next = logs
    .slice(logPosition + 1)
    .find((log) => log.address.toLowerCase() === station || log.topics[2]?.endsWith(to.slice(2)))
  if (!next || next.address.toLowerCase() !== station) return null
  const [executed] = parseEventLogs({
    abi: transitStationAbi,
    eventName: 'OrderExecuted',
    logs: [next],
  })
  return executed?.args.amount === amount ? executed.args.uuid : null
}
