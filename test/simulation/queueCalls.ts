import type { Address } from 'viem'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { outcast, PLAYERS } from './vaultActors.ts'
import { type HandCall, type PlayedCall, played, type VaultPlayer } from './vaultPlayer.ts'

/** The calls that an order allows before it is processed. */

const { vaultDeployer } = DEVNET_ACTORS

export function cancelCall(queue: Address, from: Address, orderIndex: bigint): PlayedCall {
  return played({ from, to: queue, call: ['function cancelOrder(uint256)', orderIndex] })
}

export function refundCall(queue: Address, orderIndex: bigint): PlayedCall {
  const call: HandCall = ['function refundOrders(uint256[])', [orderIndex]]
  return played({ from: vaultDeployer.address, to: queue, call })
}

export function forceCall(queue: Address, orderIndex: bigint): PlayedCall {
  const call: HandCall = ['function forceProcess(uint256)', orderIndex]
  return played({ from: vaultDeployer.address, to: queue, call })
}

/** To a random account. */
export function passOnCall(
  { random }: VaultPlayer,
  queue: Address,
  { from, orderIndex }: { from: Address; orderIndex: bigint },
): PlayedCall {
  const heir = random.chance(0.2) ? outcast : random.pick(PLAYERS)
  return played({
    from,
    to: queue,
    call: ['function transferFrom(address, address, uint256)', from, heir.address, orderIndex],
  })
}
