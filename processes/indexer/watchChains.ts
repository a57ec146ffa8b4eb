import type { Sql } from 'postgres'
import { type Build, readBuildProgress } from '../../db/indexBuilds.ts'
import { doubtChain, lowerHighWater, readGenerations } from '../../db/indexRebuilds.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import type { Logger } from '../logger.ts'
import type { PonderLine } from './askForPonder.ts'

export type WatchOptions = {
  sql: Sql
  build: Build
  generations: number[]
  lines: Map<number, PonderLine>
  /** An operator ordered another build of one of the chains. */
  onRebuildOrdered: () => void
  /** Ponder is ready, but made no progress towards that chain's head for 20 s. */
  onStalled: (chainId: number) => void
  logger: Logger
}

const LOOK_MS = 500
const STALL_MS = 20_000

/**
 * Watches a running Ponder until `signal`. Lowers the high-water mark of a chain that became shorter, and stops the
 * answers of one that is in doubt.
 */
export async function watchChains(options: WatchOptions, signal: AbortSignal): Promise<void> {
  const isStalled = createStallClock()
  const doubted = new Set<number>()
  await repeat(
    {
      async run() {
        await look(options, isStalled)
        await lookForDoubts(options, doubted)
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

async function look(options: WatchOptions, isStalled: ReturnType<typeof createStallClock>) {
  const { sql, build, generations, lines } = options
  const now = await readGenerations(sql, build.chainIds)
  if (now.join() !== generations.join()) options.onRebuildOrdered()
  for (const { chainId, blockNumber, isReady, checkpoint } of await readBuildProgress(sql, build)) {
    const tip = lines.get(chainId)?.follower.tip()
    const isIdle = !isReady || !tip || (blockNumber ?? -1n) >= BigInt(tip.number)
    if (isStalled(chainId, isIdle ? null : `${checkpoint}`)) options.onStalled(chainId)
  }
  for (const [chainId, { follower }] of lines) {
    const tip = follower.tip()
    if (tip && follower.mayBeShorter())
      await lowerHighWater(sql, { chainId, number: BigInt(tip.number), hash: tip.hash })
  }
}

/** A chain that its nodes contradict is not answered, and no other chain waits for it. */
async function lookForDoubts(
  { sql, build: { postgresSchema }, lines, logger }: WatchOptions,
  doubted: Set<number>,
) {
  for (const [chainId, { follower }] of lines) {
    const isInDoubt = follower.isInDoubt()
    if (isInDoubt === doubted.has(chainId)) continue
    await doubtChain(sql, { postgresSchema, chainId, isInDoubt })
    if (isInDoubt) doubted.add(chainId)
    else doubted.delete(chainId)
    const known = { chainId, tip: Number(follower.tip()?.number) }
    if (isInDoubt) logger.error(known, 'the nodes of the chain contradict its indexed head')
    else logger.warn(known, 'the nodes of the chain have its indexed head again')
  }
}

/** Detects a chain whose `place` has not changed for 20 s; null means that it has nothing to do. */
function createStallClock() {
  const stands = new Map<number, { place: string | null; since: number }>()
  return (chainId: number, place: string | null) => {
    const known = stands.get(chainId)
    if (place === null || known?.place !== place) {
      stands.set(chainId, { place, since: Date.now() })
      return false
    }
    return Date.now() - known.since > STALL_MS
  }
}
