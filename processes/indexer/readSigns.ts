import type { Sql } from 'postgres'
import { type Build, readBuildProgress } from '../../db/indexBuilds.ts'
import { readPonderWork } from '../../db/ponderTables.ts'
import type { PonderLine } from './askForPonder.ts'
import type { IndexSigns } from './stallClock.ts'

/** So much time of the processor is work. Waiting takes a tenth of it, within the time after which Ponder counts as silent. */
const WORK_CPU_MS = 1_000

type Watched = {
  sql: Sql
  build: Build
  lines: Map<number, PonderLine>
  cpuMs: () => number
}

/** What Ponder shows of its work: blocks, requests, statements, and time of the processor. */
export async function readSigns({ sql, build, lines, cpuMs }: Watched): Promise<IndexSigns> {
  const progress = await readBuildProgress(sql, build)
  const work = await readPonderWork(sql, build.postgresSchema)
  const chains = [...lines].map(([chainId, { follower, requests }]) => {
    const at = progress.find((candidate) => candidate.chainId === chainId)
    const { blockNumber = null, safeBlock = null } = at ?? {}
    const tip = follower.tip()
    return {
      chainId,
      isIdle: at?.isReady === true && (!tip || (blockNumber ?? -1n) >= BigInt(tip.number)),
      isLive: blockNumber !== null && safeBlock !== null && blockNumber > safeBlock,
      place: `${at?.checkpoint} ${requests}`,
    }
  })
  const cpu = Math.floor(cpuMs() / WORK_CPU_MS)
  return {
    chains,
    place: [...chains.map(({ place }) => place), work, cpu].join(),
    hasBegun: [...lines.values()].some(({ requests }) => requests > 0),
  }
}
