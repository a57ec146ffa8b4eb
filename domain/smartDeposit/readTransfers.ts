import {
  type Address,
  type Hex,
  hexToBigInt,
  type PublicClient,
  pad,
  toEventSelector,
  toHex,
} from 'viem'
import type { LogReader } from '../chain/chainClients.ts'
import type { BlockRange } from '../chain/inParts.ts'
import { readInParts } from '../chain/readInParts.ts'
import type { BlockId } from './keeperDeposit.ts'

/** An ERC-20 transfer as its log shows it. Addresses are lower case. */
export type Transfer = {
  token: Address
  to: Address
  /** Base units. */
  amount: bigint
  transactionHash: Hex
  block: BlockId
  /** Among the logs of its block. */
  logIndex: number
}

/**
 * Transfers of any token to some recipients, which the node finds, or to those that pass the test. Anybody can fill a block with transfers
 * of a token of their own: where no node answers all of a block, those of `accepted` are read, and `onCrowd` is called.
 */
export type TransferQuery = {
  to: readonly Address[] | ((account: Address) => boolean)
  accepted: readonly Address[]
  onCrowd: (block: bigint) => void
}

type RawLog = {
  address: Address
  topics: Hex[]
  data: Hex
  blockNumber: Hex
  blockHash: Hex
  transactionHash: Hex
  logIndex: Hex
}

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
/** Characters before the address in a topic. */
const LEADING_DIGITS = 26

/**
 * Transfers of more than 0, oldest first. Decoded here, because a block has thousands of transfers to others
 * that need no decoding. Throws `RPC_UNAVAILABLE`.
 */
export async function readTransfers(
  of: { chains: LogReader; chainId: number },
  range: BlockRange,
  query: TransferQuery,
): Promise<Transfer[]> {
  const read = (asked: object) => async (client: PublicClient, part: BlockRange) => {
    const { fromBlock, toBlock } = part
    const filter = { ...asked, fromBlock: toHex(fromBlock), toBlock: toHex(toBlock) }
    // viem's type of the method allows neither null topics nor read-only lists.
    const logs = (await client.request({
      method: 'eth_getLogs',
      params: [filter] as never,
    })) as RawLog[]
    return logs.flatMap((log) => toTransfer(log, query) ?? [])
  }
  const { to, accepted: address, onCrowd } = query
  const topics =
    typeof to === 'function' ? [TRANSFER] : [TRANSFER, null, to.map((account) => pad(account))]
  const readAccepted = read({ address, topics })
  return readInParts(of, range, read({ topics }), (client, part) => {
    onCrowd(part.fromBlock)
    // For a node, no address is any address.
    return address.length === 0 ? Promise.resolve([]) : readAccepted(client, part)
  })
}

function toTransfer(log: RawLog, { to: wanted }: TransferQuery): Transfer | null {
  const { topics, data } = log
  // Four topics: an ERC-721.
  if (topics.length !== 3 || data.length !== 66) return null
  const to = `0x${topics[2]?.slice(LEADING_DIGITS)}` as const
  if (typeof wanted === 'function' && !wanted(to)) return null
  const amount = hexToBigInt(data)
  if (amount === 0n) return null
  return {
    token: log.address.toLowerCase() as Address,
    to,
    amount,
    transactionHash: log.transactionHash,
    block: { number: Number(log.blockNumber), hash: log.blockHash },
    logIndex: Number(log.logIndex),
  }
}
