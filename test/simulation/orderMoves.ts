import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import { planFunding } from './operatorMoves.ts'
import { cancelCall, forceCall, passOnCall, refundCall } from './queueCalls.ts'
import { countWaiting, pickPending } from './queueReads.ts'
import { type PlayedCall, played, type VaultPlayer } from './vaultPlayer.ts'

/** Actions on the requests of a withdraw queue. A plan is empty if nothing can be done. */

const { queueProcessor } = DEVNET_ACTORS
/** The most orders that fit into one call's gas. */
const MOST_ORDERS = 6

export async function planCancel(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  return order ? [cancelCall(order.queue, order.holder, order.orderIndex)] : []
}

export async function planOperatorRefund(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  return order ? [refundCall(order.queue, order.orderIndex)] : []
}

export async function planReceiptTransfer(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  if (!order) return []
  const { holder: from, orderIndex } = order
  return [passOnCall(player, order.queue, { from, orderIndex })]
}

/** If the vault cannot pay, it gets the missing amount instead. */
export async function planForce(player: VaultPlayer): Promise<PlayedCall[]> {
  const order = await pickPending(player)
  if (!order) return []
  const call = forceCall(order.queue, order.orderIndex)
  return (await player.passes(call)) ? [call] : planFunding(player, order.deployment)
}

export async function planProcessing(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const waiting = (
    await Promise.all(player.deployments.map((entry) => countWaiting(player, entry)))
  ).filter(({ count }) => count > 0)
  const [first, ...others] = waiting
  if (!first) return []
  const { deployment, count } = random.pick([first, ...others])
  return processingCalls(player, deployment, random.integer(1, count))
}

/** Processes this many requests, or as many as can be paid; if none can, adds the missing amount. */
export async function processingCalls(
  player: VaultPlayer,
  deployment: VaultDeployment,
  most: number,
): Promise<PlayedCall[]> {
  for (let count = Math.min(most, MOST_ORDERS); count > 0; count = Math.floor(count / 2)) {
    const call = played({
      from: queueProcessor.address,
      to: deployment.current.queue,
      call: ['function processOrders(uint256)', BigInt(count)],
    })
    if (await player.passes(call)) return [call]
  }
  return planFunding(player, deployment)
}
