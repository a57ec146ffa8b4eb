import { getAddress } from 'viem'
import type { WithdrawalVolumeRow } from './answers.ts'
import { compareText, type OracleDeployment } from './oracleBook.ts'
import { logsOf, type OracleChain } from './oracleChain.ts'
import { EXIT, type OracleOrder } from './oracleOrders.ts'
import { addressIn } from './oracleRpc.ts'

/** Unix seconds: after `startTime`, up to `endTime`; without an interval, one row for all. */
export type VolumeQuery = { startTime: number; endTime: number; interval?: number }

type Withdrawal = { time: number; asset: string; shares: bigint; assets: bigint }

/** Withdrawals of one deployment, per asset and interval. */
export function withdrawalVolumes(
  chain: OracleChain,
  { deployment, orders }: { deployment: OracleDeployment; orders: OracleOrder[] },
  { startTime, endTime, interval }: VolumeQuery,
): WithdrawalVolumeRow[] {
  const inRange = [...queued(orders), ...atomic(chain, deployment)].filter(
    ({ time }) => startTime < time && time <= endTime,
  )
  const bucketOf = ({ time }: Withdrawal) =>
    interval === undefined ? 0 : Math.ceil(time / interval)
  const groups = Map.groupBy(inRange, (entry) => `${bucketOf(entry)} ${entry.asset}`)
  return [...groups.values()].map((group) => {
    const [first = { time: 0, asset: '0x', shares: 0n, assets: 0n }] = group
    const bucket = bucketOf(first)
    const total = (of: (entry: Withdrawal) => bigint) =>
      String(group.reduce((sum, entry) => sum + of(entry), 0n))
    return {
      vaultAddress: getAddress(deployment.vault),
      chainId: chain.chainId,
      assetAddress: getAddress(first.asset),
      startTime: interval === undefined ? startTime : Math.max(startTime, (bucket - 1) * interval),
      endTime: interval === undefined ? endTime : Math.min(endTime, bucket * interval),
      orderCount: group.length,
      shareAmount: total(({ shares }) => shares),
      assetAmount: total(({ assets }) => assets),
    }
  })
}

export function compareVolumes(a: WithdrawalVolumeRow, b: WithdrawalVolumeRow): number {
  return (
    a.startTime - b.startTime ||
    a.chainId - b.chainId ||
    compareText(a.assetAddress.toLowerCase(), b.assetAddress.toLowerCase())
  )
}

function queued(orders: OracleOrder[]): Withdrawal[] {
  return orders.flatMap(({ payment, wantAsset: asset, offerAmount: shares }) =>
    payment ? [{ time: payment.time, asset, shares, assets: payment.assets }] : [],
  )
}

/** Assets that left the vault for shares of an account that is not one of its queues. */
function atomic(chain: OracleChain, { vault, queues }: OracleDeployment): Withdrawal[] {
  return logsOf(chain, [vault], EXIT)
    .filter(({ indexed }) => !queues.includes(addressIn(indexed[2])))
    .map(({ time, indexed, words: [assets = 0n, shares = 0n] }) => ({
      time,
      asset: addressIn(indexed[1]),
      shares,
      assets,
    }))
}
