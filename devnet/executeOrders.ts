import { type Address, encodeFunctionData, type Hex, parseAbi, type TransactionReceipt } from 'viem'
import { transitStationAbi } from '../abis/transitStation.ts'
import { DEVNET_ACTORS } from './accounts.ts'
import { erc20 } from './placeOrder.ts'
import type { DevnetClient } from './world.ts'

export type Execution = { orderId: Hex; wantAsset: Address; amount: bigint }

const vaultAbi = parseAbi([
  'function manage(address[] targets, bytes[] data, uint256[] values) returns (bytes[])',
])

/** Executes orders in one transaction through the vault, which approves exactly their amounts. */
export async function executeOrders(
  client: DevnetClient,
  station: Address,
  executions: Execution[],
): Promise<TransactionReceipt> {
  const vault = await client.readContract({
    address: station,
    abi: transitStationAbi,
    functionName: 'wantAssetSource',
  })
  const calls = [...Map.groupBy(executions, ({ wantAsset }) => wantAsset)].flatMap(
    ([asset, ofAsset]) => [
      {
        target: asset,
        data: encodeFunctionData({
          abi: erc20,
          functionName: 'approve',
          args: [station, ofAsset.reduce((total, { amount }) => total + amount, 0n)],
        }),
      },
      {
        target: station,
        data: encodeFunctionData({
          abi: transitStationAbi,
          functionName: 'executePendingOrders',
          args: [
            [
              {
                wantAsset: asset,
                uuids: ofAsset.map(({ orderId }) => orderId),
                amounts: ofAsset.map(({ amount }) => amount),
              },
            ],
          ],
        }),
      },
    ],
  )
  const hash = await client.writeContract({
    account: DEVNET_ACTORS.executor,
    address: vault,
    abi: vaultAbi,
    functionName: 'manage',
    args: [calls.map(({ target }) => target), calls.map(({ data }) => data), calls.map(() => 0n)],
  })
  return client.waitForTransactionReceipt({ hash })
}
