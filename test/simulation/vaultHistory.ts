import type { World } from '../../devnet/world.ts'
import { type SeededRandom, seededRandom } from '../support/seededRandom.ts'
import {
  planAssetChange,
  planAssetRate,
  planCap,
  planInflow,
  planOutflow,
  planPause,
  planRate,
  planReopening,
  planUnpause,
} from './operatorMoves.ts'
import {
  planCancel,
  planForce,
  planOperatorRefund,
  planProcessing,
  planReceiptTransfer,
  processingCalls,
} from './orderMoves.ts'
import { planDirectOrder, planOrder, planUnpayableOrder } from './orderSubmissions.ts'
import { prepareVaults } from './prepareVaults.ts'
import { countWaiting } from './queueReads.ts'
import { planDeposit, planTransfer, planWithdrawalAtOnce } from './shareMoves.ts'
import {
  createVaultPlayer,
  MOST_IN_BLOCK,
  type PlayedCall,
  type VaultPlayer,
} from './vaultPlayer.ts'

/** A random history of the vaults of a world: the same with the same seed. */
export type VaultHistory = {
  /** Makes this many moves on every chain, the chains in parallel. */
  play(moves: number): Promise<void>
  /** Unpauses, and processes most waiting requests, except the last few of every queue. */
  settle(): Promise<void>
  /** Leaves orders open that wait, are marked, and cannot be paid. */
  leaveOpen(): Promise<void>
  /** Lets the nodes make blocks by themselves again. */
  rest(): Promise<void>
  /** The numbers of calls by outcome. */
  counts(): { passed: number; reverted: number; blocks: number }
}

type Plan = (player: VaultPlayer) => Promise<PlayedCall[]>

/** Each move as often as it is listed. The whole deck is dealt before it is shuffled again. */
const DECK: readonly Plan[] = [
  ...repeat(6, planDeposit),
  ...repeat(5, planTransfer),
  ...repeat(10, planOrder),
  ...repeat(5, planUnpayableOrder),
  ...repeat(1, planCancel),
  ...repeat(1, planOperatorRefund),
  ...repeat(2, planReceiptTransfer),
  ...repeat(2, planForce),
  ...repeat(9, planProcessing),
  ...repeat(2, planWithdrawalAtOnce),
  ...repeat(1, planDirectOrder),
  ...repeat(4, planRate),
  ...repeat(1, planPause),
  ...repeat(3, planUnpause),
  ...repeat(1, planCap),
  ...repeat(3, planOutflow),
  ...repeat(1, planInflow),
  ...repeat(1, planAssetChange),
  ...repeat(1, planReopening),
  ...repeat(1, planAssetRate),
]

/** Moves that leave a queue with orders, and its vault with too little to pay them. */
const OPENING: readonly Plan[] = [
  ...repeat(5, planOrder),
  ...repeat(2, planUnpayableOrder),
  ...repeat(2, planCancel),
  ...repeat(1, planOperatorRefund),
  ...repeat(2, planRate),
  ...repeat(4, planOutflow),
]

/** Takes control of the nodes of a world with vaults, and continues an earlier history. */
export async function createVaultHistory(world: World, seed: number): Promise<VaultHistory> {
  const chainIds = Object.keys(world.rpcUrls).map(Number)
  const random = seededRandom(seed)
  const players = await Promise.all(
    // Each chain has its own random choices, so that none depends on the speed of another.
    chainIds.map((id) => createVaultPlayer(world, id, seededRandom(random.integer(0, 2 ** 31)))),
  )
  const counts = { passed: 0, reverted: 0, blocks: 0 }

  async function mine(player: VaultPlayer, calls: PlayedCall[]) {
    const results = await player.mine(calls)
    counts.passed += results.filter(Boolean).length
    counts.reverted += results.filter((isPassed) => !isPassed).length
    counts.blocks += 1
  }

  async function playOn(player: VaultPlayer, moves: number, cards = DECK) {
    const deck = createDeck(player.random, cards)
    let calls: PlayedCall[] = []
    for (let move = 0; move < moves; move += 1) {
      calls.push(...(await deck()(player)))
      // Several moves in one block, without knowledge of each other; or each call in its own block.
      if (player.random.chance(0.25) && calls.length < MOST_IN_BLOCK && move < moves - 1) continue
      const perBlock = player.random.chance(0.7) ? 1 : MOST_IN_BLOCK
      while (calls.length > 0) await mine(player, calls.splice(0, perBlock))
      calls = []
    }
  }

  async function settleOn(player: VaultPlayer) {
    for (const plan of [planReopening, planUnpause])
      for (const call of await plan(player)) await mine(player, [call])
    for (const deployment of player.deployments) {
      const { count } = await countWaiting(player, deployment)
      const left = player.random.integer(0, 2)
      if (count > left)
        for (const call of await processingCalls(player, deployment, count - left))
          await mine(player, [call])
    }
  }

  await Promise.all(players.map((player) => prepareVaults(world, player)))
  return {
    async play(moves) {
      await Promise.all(players.map((player) => playOn(player, moves)))
    },
    async settle() {
      await Promise.all(players.map(settleOn))
    },
    async leaveOpen() {
      await Promise.all(players.map((player) => playOn(player, OPENING.length, OPENING)))
    },
    async rest() {
      await Promise.all(players.map((player) => player.rest()))
    },
    counts: () => ({ ...counts }),
  }
}

function createDeck(random: SeededRandom, cards: readonly Plan[]): () => Plan {
  let left: Plan[] = []
  return () => {
    if (left.length === 0) left = [...cards]
    const [plan = planDeposit] = left.splice(random.integer(0, left.length - 1), 1)
    return plan
  }
}

function repeat(count: number, plan: Plan): Plan[] {
  return Array.from({ length: count }, () => plan)
}
