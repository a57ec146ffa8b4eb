import { failBuild, unlockPonder } from '../../db/indexBuilds.ts'
import { replaceChain, withholdBuild } from '../../db/indexRebuilds.ts'
import { pause } from '../../domain/watch/pause.ts'
import { findReplacedChain, type ReplacedChain } from './findReplacedChain.ts'
import { forgetReplacedBlocks } from './forgetReplacedBlocks.ts'
import type { PonderOptions, PonderProcess } from './ponderProcess.ts'
import { type ServeOptions, serveWhenLevel } from './serveWhenLevel.ts'
import { type WatchOptions, watchChains } from './watchChains.ts'

type LauncherOptions = ServeOptions &
  Pick<WatchOptions, 'generations' | 'lines'> & {
    startPonder: (events: Pick<PonderOptions, 'onUnrecoverableReorg'>) => PonderProcess
    signal: AbortSignal
  }

/** Why one run of Ponder ended. */
type Ending = {
  lastWords: string
  hasServed: boolean
  isRebuildOrdered: boolean
  replaced: ReplacedChain | null
}

const RESTART_MS = [0, 500, 2_000, 5_000, 15_000]
const PATIENCE_MS = 3_000

/**
 * Keeps Ponder running on one build, and makes that build the served one as soon as it is level.
 * Resolves to `rebuild` when the build is to be replaced by another, to `stopped` upon `signal`.
 */
export async function runLauncher(options: LauncherOptions): Promise<'stopped' | 'rebuild'> {
  const { sql, build, lines, signal, logger } = options
  const { postgresSchema } = build
  let crashes = 0
  while (!signal.aborted) {
    await unlockPonder(sql, postgresSchema)
    if (!(await untilHeads(options))) break
    const replaced = await findReplacedChain(sql, postgresSchema, lines)
    if (replaced) return condemn(options, replaced)
    const ending = await runPonder(options)
    if (signal.aborted) break
    if (ending.replaced) return condemn(options, ending.replaced)
    if (ending.isRebuildOrdered) return 'rebuild'
    if (ending.hasServed) crashes = 0
    const { lastWords } = ending
    logger.error({ postgresSchema, lastWords }, 'Ponder ended, starting again')
    await failBuild(sql, postgresSchema, lastWords)
    await pause(RESTART_MS[Math.min(crashes++, RESTART_MS.length - 1)] ?? 0, signal)
  }
  return 'stopped'
}

/** Ponder cannot start without a head of every chain. Resolves to false upon `signal`. */
async function untilHeads({ sql, build, lines, signal }: LauncherOptions): Promise<boolean> {
  const since = Date.now()
  let isTold = false
  while (!signal.aborted) {
    const silent = [...lines].filter(([, { follower }]) => !follower.tip()).map(([id]) => id)
    if (silent.length === 0) return true
    if (!isTold && Date.now() - since > PATIENCE_MS) {
      isTold = true
      await failBuild(sql, build.postgresSchema, `no node of chain ${silent.join(', ')} answers`)
    }
    await pause(100, signal)
  }
  return false
}

async function runPonder(options: LauncherOptions): Promise<Ending> {
  const { signal } = options
  const run = new AbortController()
  const ending: Ending = {
    lastWords: '',
    hasServed: false,
    isRebuildOrdered: false,
    replaced: null,
  }
  const ponder = options.startPonder({
    onUnrecoverableReorg(chainId, finalizedBlock) {
      ending.replaced = { chainId, block: BigInt(finalizedBlock) }
      ponder.kill()
    },
  })
  const stopping = () => void ponder.stop()
  signal.addEventListener('abort', stopping, { once: true })
  const until = AbortSignal.any([signal, run.signal])
  const serving = serveWhenLevel(options, until)
  const watching = watchChains(
    {
      ...options,
      onRebuildOrdered() {
        ending.isRebuildOrdered = true
        stopping()
      },
      onStalled(chainId) {
        ending.lastWords = `chain ${chainId} stands still below its head`
        ponder.kill()
      },
    },
    until,
  )
  const lastWords = await ponder.ended
  run.abort()
  ending.hasServed = await serving
  await watching
  signal.removeEventListener('abort', stopping)
  ending.lastWords ||= lastWords
  return ending
}

/** Nothing is answered any more from rows that contradict their chain; the next build is another one. */
async function condemn(
  { sql, build, lines, logger }: LauncherOptions,
  { chainId, block }: ReplacedChain,
): Promise<'rebuild'> {
  const { postgresSchema } = build
  const reason = `reorganised below its final block ${block}`
  logger.error({ chainId, postgresSchema, block: Number(block) }, `chain ${chainId} was ${reason}`)
  await withholdBuild(sql, postgresSchema)
  // Before the order: ended in between, the next start finds the same again and not the orphans.
  const line = lines.get(chainId)
  if (line) await forgetReplacedBlocks(sql, chainId, line.chainNodes)
  await replaceChain(sql, chainId, reason)
  return 'rebuild'
}
