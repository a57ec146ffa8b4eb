import {
  type Address,
  getAbiItem,
  isAddressEqual,
  type PublicClient,
  toFunctionSelector,
  zeroAddress,
} from 'viem'
import { rolesAuthorityAbi } from '../../../abis/rolesAuthority.ts'
import { tellerAbi } from '../../../abis/teller.ts'
import { withdrawQueueAbi } from '../../../abis/withdrawQueue.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { tryRead } from '../../chain/gatheredReads.ts'
import { readLogs } from '../../chain/readLogs.ts'
import { findStartBlock } from './findStartBlock.ts'

type QueueSearch = {
  chainId: number
  vault: Address
  teller: Address
  /** The newest block. */
  head: bigint
}

const BULK_WITHDRAW = toFunctionSelector(getAbiItem({ abi: tellerAbi, name: 'bulkWithdraw' }))

/**
 * The withdraw queues of a vault, the one that got its role last first. No contract refers to them, but
 * the teller's authority lets them call `bulkWithdraw`. Throws `RPC_UNAVAILABLE`.
 */
export async function findQueues(
  chains: ChainClients,
  { chainId, vault, teller, head }: QueueSearch,
): Promise<Address[]> {
  const authority = await chains.read(chainId, (client) =>
    tryRead(client, { address: teller, abi: tellerAbi, functionName: 'authority' }),
  )
  if (authority === null || authority === zeroAddress) return []
  const fromBlock = (await findStartBlock(chains, { chainId, address: authority, head })) ?? 0n
  const granted = await readLogs(chains, {
    chainId,
    address: authority,
    events: [getAbiItem({ abi: rolesAuthorityAbi, name: 'UserRoleUpdated' })],
    fromBlock,
    toBlock: head,
  })
  const users = [...new Set(granted.map(({ args }) => args.user).reverse())]
  const isQueue = await chains.read(chainId, (client) =>
    Promise.all(users.map((user) => isQueueOf(client, { user, vault, teller, authority }))),
  )
  return users.filter((_, index) => isQueue[index])
}

async function isQueueOf(
  client: PublicClient,
  { user, vault, teller, authority }: Record<'user' | 'vault' | 'teller' | 'authority', Address>,
): Promise<boolean> {
  const [mayWithdraw, offerAsset] = await Promise.all([
    tryRead(client, {
      address: authority,
      abi: rolesAuthorityAbi,
      functionName: 'canCall',
      args: [user, teller, BULK_WITHDRAW],
    }),
    tryRead(client, { address: user, abi: withdrawQueueAbi, functionName: 'offerAsset' }),
  ])
  return mayWithdraw === true && offerAsset !== null && isAddressEqual(offerAsset, vault)
}
