import type { Sql } from 'postgres'
import { type Build, nameRefusal } from '../../db/indexBuilds.ts'
import { doubtChain, lowerHighWater, readGenerations } from '../../db/indexRebuilds.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import type { Logger } from '../logger.ts'
import type { BuildFailures } from './buildFailures.ts'
import type { Stuck } from './ponderStart.ts'
import { readSigns } from './readSigns.ts'
import type { RelayLine } from './relay.ts'
import { createStallClock } from './stallClock.ts'

export type WatchOptions = {
  sql: Sql
  build: Build
  generations: number[]
  lines: Map<number, RelayLine>
  /** An operator ordered another build of one of the chains. */
  onRebuildOrdered: () => void
  /** Ponder hangs, before it is ready too. That chain is not at its head. */
  onStalled: (chainId: number) => void
  /** Ponder's start cannot get on with the blocks of this chain. */
  onStuckStart: (chainId: number, reason: Stuck) => Promise<void>
  /** The processor's time that Ponder has used, in milliseconds. */
  cpuMs: () => number
  failures: Pick<BuildFailures, 'look'>
  logger: Logger
}

const LOOK_MS = 500

/**
 * Watches a running Ponder until `signal`. Lowers the high-water mark of a chain that became shorter, and stops the
 * answers of one that is in doubt.
 */
export async function watchChains(options: WatchOptions, signal: AbortSignal): Promise<void> {
  const stalledChain = createStallClock()
  const doubted = new Set<number>()
  const refusals = new Map<number, string | null>()
  await repeat(
    {
      async run() {
        await look(options, stalledChain)
        await lookForDoubts(options, doubted)
        await lookForRefusals(options, refusals)
        await options.failures.look()
      },
      everyMs: LOOK_MS,
      onFailure: (error) =>
        options.logger.debug(
          { error: String(error) },
          'the progress of the index could not be read',
        ),
    },
    signal,
  )
}

async function look(options: WatchOptions, stalledChain: ReturnType<typeof createStallClock>) {
  const { sql, build, generations, lines } = options
  const now = await readGenerations(sql, build.chainIds)
  if (now.join() !== generations.join()) options.onRebuildOrdered()
  const stalled = stalledChain(await readSigns(options))
  if (stalled !== null) options.onStalled(stalled)
  const heads = [...lines].flatMap(([chainId, { follower }]) => {
    const tip = follower.tip()
    if (!tip || !follower.mayBeShorter()) return []
    return [{ chainId, number: BigInt(tip.number), hash: tip.hash }]
  })
  if (heads.length > 0) await lowerHighWater(sql, heads)
}

/** A chain whose blocks cannot be read is held, in a start too, and named. */
async function lookForRefusals(
  { sql, build: { postgresSchema }, lines, onStuckStart, logger }: WatchOptions,
  named: Map<number, string | null>,
) {
  for (const [chainId, { pace, start }] of lines) {
    const stuck = start?.isHeld ? null : start?.stuck()
    if (stuck) await onStuckStart(chainId, stuck)
    const refusal = pace.refusal()
    if (refusal === named.get(chainId)) continue
    await nameRefusal(sql, { postgresSchema, chainId, refusal })
    if (refusal !== null)
      logger.error({ chainId, refusal }, 'the blocks of the chain cannot be read')
    else if (named.has(chainId)) logger.warn({ chainId }, 'the blocks of the chain are read again')
    named.set(chainId, refusal)
  }
}

/** A chain that its nodes contradict is not answered, and no other chain waits for it. */
async function lookForDoubts(
  { sql, build: { postgresSchema }, lines, logger }: WatchOptions,
  doubted: Set<number>,
) {
  for (const [chainId, { follower }] of lines) {
    const isInDoubt = follower.isInDoubt()
    const wasInDoubt = doubted.has(chainId)
    // Again at each look: the next head that Ponder writes is copied as one of a chain that is ready.
    if (isInDoubt || wasInDoubt) await doubtChain(sql, { postgresSchema, chainId, isInDoubt })
    if (isInDoubt === wasInDoubt) continue
    if (isInDoubt) doubted.add(chainId)
    else doubted.delete(chainId)
    const known = { chainId, tip: Number(follower.tip()?.number) }
    if (isInDoubt) logger.error(known, 'the nodes of the chain contradict its indexed head')
    else logger.warn(known, 'the nodes of the chain have its indexed head again')
  }
}
