import { setTimeout as sleep } from 'node:timers/promises'
import { worldClient } from '../../devnet/world.ts'
import type { Ailment } from '../support/faultyNode.ts'
import type { FaultKind } from './faultKind.ts'
import { CHAOS_CHAINS, type Installation } from './installation.ts'

/** What a machine behind a URL does, and with how many blocks. */
type Family = {
  name: string
  ailment: Ailment
  blocks?: readonly [number, ...number[]]
  /** Whether the indexer is killed meanwhile. */
  isAtStart?: true
}

const FAMILIES: Family[] = [
  { name: 'receipts that are null', ailment: 'nullReceipts' },
  { name: 'receipts that are shifted', ailment: 'shiftedReceipts' },
  { name: 'hidden logs', ailment: 'hiddenLogs' },
  { name: 'a log left out', ailment: 'leftOutLogs' },
  { name: 'unknown transactions', ailment: 'unknownTransactions' },
  { name: 'a head that jumps back', ailment: 'oldHeads', blocks: [5, 45, 400] },
  { name: 'unknown transactions at a start', ailment: 'unknownTransactions', isAtStart: true },
  { name: 'hidden logs at a start', ailment: 'hiddenLogs', isAtStart: true },
  { name: 'no answer at a start', ailment: 'errors', isAtStart: true },
  { name: 'logs of few blocks', ailment: 'capped', blocks: [1, 10, 100] },
]

const RIGHT_AGAIN_MS = 30_000
/** So long the other chains may wait for a start, with the one that holds the struck chain. */
const RESTART_MS = 30_000
/** So much later than its node may the index of a chain be that no fault strikes. */
const MOST_BEHIND = 20
const LOOK_MS = 500

/**
 * Faults of one machine among the many behind a name. No index is built anew for them, and no other chain waits: each
 * checks it for itself, and happens alone.
 */
export const MACHINE_FAULTS: FaultKind[] = FAMILIES.map(({ name, ailment, blocks, isAtStart }) => ({
  name,
  isAlone: true,
  mostBackMs: RIGHT_AGAIN_MS,
  mayRefuse: true,
  lastsMs: isAtStart ? [RESTART_MS + 5_000, RESTART_MS + 15_000] : [5_000, 25_000],
  missing: null,
  async start({ installation, random }) {
    const chainId = random.pick(CHAOS_CHAINS)
    const amount = blocks && random.pick(blocks)
    const isBoth = random.chance(0.5)
    const pair = installation.nodes.get(chainId) ?? []
    const struck = isBoth ? pair : pair.slice(random.integer(0, 1)).slice(0, 1)
    const builds = await readBuilds(installation)
    for (const node of struck) await node.fall(ailment, amount)
    if (isAtStart) await installation.indexer.kill((process) => process.kill())
    const others = watchOthers(installation, chainId, isAtStart ? RESTART_MS : 0)
    const number = amount === undefined ? '' : ` by ${amount}`
    return {
      detail: `${isBoth ? 'both nodes' : 'one node'} of chain ${chainId}${number}`,
      async end() {
        for (const node of struck) await node.fall('well')
        const troubles = await others()
        if ((await readBuilds(installation)) !== builds) troubles.push('an index was built anew')
        if (troubles.length > 0) throw new Error(`${name}${number}: ${troubles.join('; ')}`)
      },
    }
  },
}))

async function readBuilds({ sql }: Installation): Promise<string> {
  return JSON.stringify(await sql`select * from app.index_rebuild order by chain_id`)
}

/** Looks at the other chains, after `graceMs` and until it is called. Resolves to what was wrong with them. */
function watchOthers(
  { sql, world }: Installation,
  struck: number,
  graceMs: number,
): () => Promise<string[]> {
  const since = Date.now() + graceMs
  const others = CHAOS_CHAINS.filter((id) => id !== struck)
  const troubles = new Set<string>()
  let isOver = false
  const watching = (async () => {
    for (; !isOver; await sleep(LOOK_MS))
      for (const id of others) {
        const head = Number(await worldClient(world, id).getBlockNumber())
        await sleep(LOOK_MS)
        if (Date.now() < since) continue
        const [at] = await sql<{ block: bigint; isReady: boolean }[]>`
          select block_number as block, is_ready as "isReady" from read.chain_progress where chain_id = ${id}`
        if (!at?.isReady) troubles.add(`chain ${id} was not answered`)
        else if (Number(at.block) < head - MOST_BEHIND) troubles.add(`chain ${id} was left behind`)
      }
  })()
  return async () => {
    isOver = true
    await watching
    return [...troubles]
  }
}
