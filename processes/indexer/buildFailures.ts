import type { Sql } from 'postgres'
import { type Build, failBuild, readBuildProgress, reviveBuild } from '../../db/indexBuilds.ts'

/** The build of a launcher: whether it fails, and whether it gets on again. */
export type BuildFailures = {
  fail(error: string): Promise<void>
  /** Ends the failure: the build is being made again. */
  end(): Promise<void>
  /** Does nothing unless the build fails. Then it ends the failure if each chain is further than ever before. */
  look(): Promise<void>
}

/** A Ponder that ends at the same block of a chain again and again never gets that chain further, so its build stays failed. */
export function createBuildFailures(sql: Sql, build: Build): BuildFailures {
  /** The furthest checkpoint of each chain when it failed; null while nothing fails. */
  let furthest: Map<number, string> | null = null
  async function end() {
    furthest = null
    await reviveBuild(sql, build.postgresSchema)
  }
  return {
    end,
    async fail(error) {
      await failBuild(sql, build.postgresSchema, error)
      const reached = await readCheckpoints(sql, build)
      for (const [chainId, checkpoint] of furthest ?? [])
        if (checkpoint > (reached.get(chainId) ?? '')) reached.set(chainId, checkpoint)
      furthest = reached
    },
    async look() {
      if (!furthest) return
      const before = furthest
      const now = await readCheckpoints(sql, build)
      const isFurther = ([chainId, at]: [number, string]) => at > (before.get(chainId) ?? '')
      if (now.size > 0 && [...now].every(isFurther)) await end()
    },
  }
}

/** The checkpoints of the chains that have one. They have one length, so that they compare as text. */
async function readCheckpoints(sql: Sql, build: Build): Promise<Map<number, string>> {
  const progress = await readBuildProgress(sql, build)
  return new Map(
    progress.flatMap(({ chainId, checkpoint }) => (checkpoint ? [[chainId, checkpoint]] : [])),
  )
}
