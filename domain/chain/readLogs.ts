import type { AbiEvent, Address, GetLogsReturnType } from 'viem'
import { ServiceError } from '../error/serviceError.ts'
import type { ChainClients } from './chainClients.ts'

type LogQuery<Events extends readonly AbiEvent[]> = {
  chainId: number
  address: Address
  events: Events
  /** The first block, and the last; without it, up to the newest. */
  fromBlock: bigint
  toBlock?: bigint
}

type Logs<Events extends readonly AbiEvent[]> = GetLogsReturnType<undefined, Events, true>

/** A node that does not give the logs of so few blocks fails for another reason. */
const LEAST_BLOCKS = 500n

/**
 * A contract's logs, oldest first, asked for in as many parts as its nodes demand: each has a limit of
 * its own and says it in words of its own. Throws `RPC_UNAVAILABLE`.
 */
export async function readLogs<const Events extends readonly AbiEvent[]>(
  chains: ChainClients,
  { chainId, address, events, fromBlock, toBlock }: LogQuery<Events>,
): Promise<Logs<Events>> {
  const last = toBlock ?? (await chains.head(chainId))
  const found: Logs<Events> = []
  let first = fromBlock
  let blocks = last - first + 1n
  while (first <= last) {
    const end = first + blocks - 1n < last ? first + blocks - 1n : last
    const part = { address, events, fromBlock: first, toBlock: end, strict: true } as const
    try {
      const logs = await chains.read(chainId, (client) => client.getLogs(part))
      found.push(...(logs as Logs<Events>))
      first = end + 1n
    } catch (error) {
      const isOfNode = error instanceof ServiceError && error.reason === 'RPC_UNAVAILABLE'
      if (!isOfNode || blocks <= LEAST_BLOCKS) throw error
      blocks /= 2n
    }
  }
  return found
}
