import type { AbiEvent, Address, GetLogsReturnType } from 'viem'
import type { ChainClients } from './chainClients.ts'
import { readInParts } from './readInParts.ts'

type LogQuery<Events extends readonly AbiEvent[]> = {
  chainId: number
  address: Address
  events: Events
  /** The first block, and the last; without it, up to the newest. */
  fromBlock: bigint
  toBlock?: bigint
}

type Logs<Events extends readonly AbiEvent[]> = GetLogsReturnType<undefined, Events, true>

/** A contract's logs, oldest first. Throws `RPC_UNAVAILABLE`. */
export async function readLogs<const Events extends readonly AbiEvent[]>(
  chains: ChainClients,
  { chainId, address, events, fromBlock, toBlock }: LogQuery<Events>,
): Promise<Logs<Events>> {
  const last = toBlock ?? (await chains.head(chainId))
  return readInParts(
    { chains, chainId },
    { fromBlock, toBlock: last },
    async (client, part) =>
      // Cast, because TypeScript sees that they are equal only once the events are known.
      (await client.getLogs({ address, events, strict: true, ...part })) as Logs<Events>,
  )
}
