import { type Address, encodeFunctionData, type PublicClient, parseAbi, zeroAddress } from 'viem'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import { unlessRefused } from '../../chain/revert.ts'

const receiverAbi = parseAbi([
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)',
])
/** The selector of that function, which is what a contract answers that takes the token. */
const TAKEN = '0x150b7a02'
/** More than a receiver needs; what it can return is bounded by it too. */
const GAS = 300_000n

/**
 * Whether the receiver of an order is a contract that does not take the queue's receipt: submitting
 * would revert with ERC721InvalidReceiver.
 */
export async function refusesReceipt(
  client: PublicClient,
  queue: Address,
  { sender, receiver }: { sender: Address; receiver: Address },
): Promise<boolean> {
  const code = await client.getCode({ address: receiver })
  if (code === undefined || code === '0x') return false
  const latest = await mustRead(client, {
    address: queue,
    abi: withdrawQueueAbi,
    functionName: 'latestOrder',
  })
  const data = encodeFunctionData({
    abi: receiverAbi,
    functionName: 'onERC721Received',
    args: [sender, zeroAddress, latest + 1n, '0x'],
  })
  // A call of its own, bounded: the contract is a stranger's, and could spoil what it is batched with.
  const answer = await unlessRefused(
    client.call({ account: queue, to: receiver, data, gas: GAS, batch: false }),
  )
  return answer?.data?.slice(0, 10) !== TAKEN
}
