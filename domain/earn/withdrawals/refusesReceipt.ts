import { type Address, encodeFunctionData, type PublicClient, parseAbi, zeroAddress } from 'viem'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import { unlessRefused } from '../../chain/revert.ts'

const receiverAbi = parseAbi([
  'function onERC721Received(address operator, address from, uint256 tokenId, bytes data) returns (bytes4)',
])
/** The selector of that function: the answer of a contract that accepts the token. */
const TAKEN = '0x150b7a02'
/** More than a receiver needs. It also bounds the size of the answer. */
const GAS = 300_000n

/**
 * Whether the receiver of a withdrawal request is a contract that does not accept the queue's receipt:
 * the submission would revert with ERC721InvalidReceiver.
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
  // A separate call with a gas limit: an unknown contract could make a batched call fail as a whole.
  const answer = await unlessRefused(client.call({ account: queue, to: receiver, data, gas: GAS }))
  return answer?.data?.slice(0, 10) !== TAKEN
}
