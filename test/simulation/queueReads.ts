import type { Address } from 'viem'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import type { VaultPlayer } from './vaultPlayer.ts'

/** The status numbers of getOrderStatus. */
const PENDING = 1
/** Only the newest are read; there are rarely more. */
const MOST_TRIED = 12n

/** How many orders of a deployment's queue are not processed yet. */
export async function countWaiting(player: VaultPlayer, deployment: VaultDeployment) {
  const { last, latest } = await readEnds(player, deployment)
  return { deployment, count: Number(latest - last) }
}

/** The index of the order that was submitted last, and of the one that was processed last. */
export async function readEnds(player: VaultPlayer, { current: { queue } }: VaultDeployment) {
  const [latest, last] = await Promise.all([
    player.read<bigint>(queue, 'function latestOrder() view returns (uint256)'),
    player.read<bigint>(queue, 'function lastProcessedOrder() view returns (uint256)'),
  ])
  return { latest, last }
}

type PendingOrder = {
  deployment: VaultDeployment
  queue: Address
  orderIndex: bigint
  holder: Address
}

/** A request of any queue that is neither marked nor paid; null if there is none. */
export async function pickPending(player: VaultPlayer): Promise<PendingOrder | null> {
  const perQueue = await Promise.all(
    player.deployments.map(async (deployment) => {
      const { queue } = deployment.current
      const { last, latest } = await readEnds(player, deployment)
      const tried = latest - last > MOST_TRIED ? MOST_TRIED : latest - last
      const indices = Array.from({ length: Number(tried) }, (_, place) => latest - BigInt(place))
      const statuses = await Promise.all(
        indices.map((index) =>
          player.read<number>(queue, 'function getOrderStatus(uint256) view returns (uint8)', [
            index,
          ]),
        ),
      )
      return indices
        .filter((_, place) => statuses[place] === PENDING)
        .map((orderIndex) => ({ deployment, queue, orderIndex }))
    }),
  )
  const [first, ...others] = perQueue.flat()
  if (!first) return null
  const order = player.random.pick([first, ...others])
  const holder = await player.read<Address>(
    ...([order.queue, 'function ownerOf(uint256) view returns (address)'] as const),
    [order.orderIndex],
  )
  return { ...order, holder }
}
