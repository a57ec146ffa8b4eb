import { reorganise } from '../../devnet/reorganise.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import type { ChainHistory } from './chainHistory.ts'
import type { RandomTraffic } from './randomTraffic.ts'

export type Reorganisation = { chainId: number; kind: string; depth: number }

/** Sends something that other blocks may have. */
type Traffic = Pick<RandomTraffic, 'step'>

/** Changes the past of one chain. */
export type Reorganiser = {
  /** Marks the present chain, for a later revert. */
  mark(): Promise<void>
  /** Takes 1 to 25 blocks back: replaced by empty ones, or reverted and mined anew with other orders. */
  reorganise(traffic: Traffic): Promise<Reorganisation>
}

export const DEEPEST = 25
const REMEMBERED = 60

export function createReorganiser(
  world: World,
  history: Pick<ChainHistory, 'chainId' | 'rewrite'>,
  random: SeededRandom,
): Reorganiser {
  const { chainId } = history
  const client = worldClient(world, chainId)
  let marks: { id: `0x${string}`; block: number }[] = []
  const head = async () => Number(await client.getBlockNumber())

  async function replace(): Promise<Reorganisation> {
    const depth = random.integer(1, DEEPEST)
    const before = await head()
    await history.rewrite(() => reorganise(client, depth))
    marks = marks.filter(({ block }) => block <= before - depth)
    return { chainId, kind: 'replaced', depth }
  }

  async function revert(traffic: Traffic): Promise<Reorganisation | null> {
    const before = await head()
    const reachable = marks.filter(({ block }) => block < before && before - block <= DEEPEST)
    const mark = reachable[random.integer(0, reachable.length - 1)]
    if (!mark) return null
    await history.rewrite(() => client.revert({ id: mark.id }))
    // A revert uses up its mark and all later marks.
    marks = marks.slice(0, marks.indexOf(mark))
    const depth = before - mark.block
    for (let steps = random.integer(0, 3); steps > 0; steps -= 1) await traffic.step()
    const blocks = random.integer(0, depth + 3)
    if (blocks > 0) await client.mine({ blocks })
    return { chainId, kind: `reverted, ${blocks} mined`, depth }
  }

  return {
    async mark() {
      marks = [...marks, { id: await client.snapshot(), block: await head() }].slice(-REMEMBERED)
    },
    async reorganise(traffic) {
      return (random.chance(0.5) ? await revert(traffic) : null) ?? (await replace())
    },
  }
}
