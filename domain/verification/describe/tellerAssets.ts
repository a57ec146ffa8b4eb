import { type Address, getAbiItem } from 'viem'
import { tellerAAbi, tellerAbi } from '../../../abis/teller.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { readLogs } from '../../chain/readLogs.ts'
import { readSupport } from '../../earn/vaults/contractReads.ts'

/** The events with which tellers of all generations announce a new asset. */
const ADDITIONS = [
  getAbiItem({ abi: tellerAbi, name: 'DepositAssetAdded' }),
  getAbiItem({ abi: tellerAbi, name: 'WithdrawAssetAdded' }),
  getAbiItem({ abi: tellerAAbi, name: 'AssetAdded' }),
]

type TellerPlace = { chainId: number; teller: Address; fromBlock: bigint }

/**
 * The assets that a teller takes now, in or out, lower case, in the order in which it first took them.
 * Only its logs list them. Throws `RPC_UNAVAILABLE`.
 */
export async function readTellerAssets(
  chains: ChainClients,
  { chainId, teller, fromBlock }: TellerPlace,
): Promise<{ address: Address; depositable: boolean }[]> {
  const logs = await readLogs(chains, { chainId, address: teller, events: ADDITIONS, fromBlock })
  const added = logs.map(({ args }) => args.asset.toLowerCase() as Address)
  const assets = [...new Set(added)]
  const supported = await chains.read(chainId, (client) =>
    Promise.all(assets.map((asset) => readSupport(client, teller, asset))),
  )
  return assets.flatMap((address, index) => {
    const { depositable = false, withdrawable = false } = supported[index] ?? {}
    return depositable || withdrawable ? [{ address, depositable }] : []
  })
}
