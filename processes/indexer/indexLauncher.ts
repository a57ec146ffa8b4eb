import { replaceChain, withholdBuild } from '../../db/indexRebuilds.ts'
import { unlockPonder } from '../../db/ponderTables.ts'
import { pause } from '../../domain/loop/pause.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { observe } from '../../domain/observation/observe.ts'
import { type BuildFailures, createBuildFailures } from './buildFailures.ts'
import { confirmReplacedChain, type ReplacedChain } from './confirmReplacedChain.ts'
import { forgetReplacedBlocks } from './forgetReplacedBlocks.ts'
import { prepareStart, readHeldHeader } from './holdChains.ts'
import type { PonderOptions, PonderProcess } from './ponderProcess.ts'
import { type ServeOptions, serveWhenSynced } from './serveWhenSynced.ts'
import { type WatchOptions, watchChains } from './watchChains.ts'

type PonderEvents = Pick<PonderOptions, 'onUnrecoverableReorg' | 'onIndexed' | 'onRefused'>

type LauncherOptions = ServeOptions &
  Pick<WatchOptions, 'generations' | 'lines'> & {
    patienceMs: number
    startPonder: (events: PonderEvents) => PonderProcess
    signal: AbortSignal
  }

/** Why one run of Ponder ended. */
type Ending = {
  lastError: string
  hasServed: boolean
  /** It was ended, to hold a chain in the next run. */
  isHeldBack: boolean
  isRebuildOrdered: boolean
  replaced: ReplacedChain | null
}

const RESTART_MS = [0, 500, 2_000, 5_000, 15_000]
const PATIENCE_MS = 3_000
/** At a start, the other chains of a process wait so long for a chain whose nodes do not answer. */
const HOLD_MS = 10_000
const NO_ANSWER = 'no node answers'

/**
 * Keeps Ponder running on one build, and serves that build as soon as it is synced. Resolves to
 * `rebuild` if another build must replace it, and to `stopped` after `signal`.
 */
export async function runLauncher(options: LauncherOptions): Promise<'stopped' | 'rebuild'> {
  const { sql, build, signal, logger } = options
  const { postgresSchema } = build
  const failures = createBuildFailures(sql, build)
  let crashes = 0
  while (!signal.aborted) {
    await unlockPonder(sql, postgresSchema)
    if (!(await untilHeads(options, failures))) break
    const replaced = await confirmReplacedChain(sql, postgresSchema, options)
    if (signal.aborted) break
    if (replaced) return abandonBuild(options, replaced)
    await prepareStart(options)
    // From here on an `abort` ends Ponder; one before would be missed.
    if (signal.aborted) break
    const ending = await runPonder(options, failures)
    if (signal.aborted) break
    if (ending.replaced) return abandonBuild(options, ending.replaced)
    if (ending.isRebuildOrdered) return 'rebuild'
    if (ending.isHeldBack) continue
    if (ending.hasServed) crashes = 0
    const { lastError } = ending
    observe({ kind: 'ponderEnd' })
    logger.error({ postgresSchema, lastError }, 'Ponder ended, starting again')
    await failures.fail(lastError)
    await pause(RESTART_MS[Math.min(crashes++, RESTART_MS.length - 1)] ?? 0, signal)
  }
  return 'stopped'
}

/**
 * Waits for a head of every chain, which Ponder needs to start, or until the chains without one can be held. Resolves to false
 * after `signal`.
 */
async function untilHeads(options: LauncherOptions, failures: BuildFailures): Promise<boolean> {
  const { lines, signal } = options
  const since = Date.now()
  let isReported = false
  const hasHeads = async () => {
    const silent = [...lines].filter(([, { follower }]) => !follower.tip()).map(([id]) => id)
    if (silent.length === 0) return true
    if (!isReported && Date.now() - since > PATIENCE_MS) {
      isReported = true
      await failures.fail(`no node of chain ${silent.join(', ')} answers`)
    }
    if (silent.length === lines.size || Date.now() - since < HOLD_MS) return false
    for (const id of silent) if (!(await readHeldHeader(options, id))) return false
    for (const id of silent) lines.get(id)?.pace.hold(NO_ANSWER)
    return true
  }
  const isFound = await repeat({ run: hasHeads, everyMs: 100 }, signal)
  if (isFound && isReported) await failures.end()
  return isFound
}

async function runPonder(options: LauncherOptions, failures: BuildFailures): Promise<Ending> {
  const { lines, signal } = options
  const run = new AbortController()
  const ending: Ending = {
    lastError: '',
    hasServed: false,
    isHeldBack: false,
    isRebuildOrdered: false,
    replaced: null,
  }
  const ponder = options.startPonder({
    onUnrecoverableReorg(chainId, finalizedBlock) {
      ending.replaced = { chainId, block: BigInt(finalizedBlock) }
      ponder.kill()
    },
    onIndexed: (chainId) => lines.get(chainId)?.pace.accept(),
    onRefused: (chainId, reason) => lines.get(chainId)?.pace.refuse(reason),
  })
  const stopping = () => void ponder.stop()
  signal.addEventListener('abort', stopping, { once: true })
  const until = AbortSignal.any([signal, run.signal])
  const serving = serveWhenSynced(options, until)
  const watching = watchChains(
    {
      ...options,
      cpuMs: ponder.cpuMs,
      failures,
      onRebuildOrdered() {
        ending.isRebuildOrdered = true
        stopping()
      },
      onStalled(chainId) {
        const refusal = ponder.lastRefusal()
        ending.lastError = `chain ${chainId} makes no progress below its head${refusal && `; ${refusal}`}`
        ponder.kill()
      },
      async onStuckStart(chainId, reason) {
        const refusal = reason === 'refused' ? ponder.lastRefusal() : NO_ANSWER
        lines.get(chainId)?.pace.hold(refusal || 'its logs and blocks contradict each other')
        if (!(await readHeldHeader(options, chainId))) return
        ending.isHeldBack = true
        ponder.kill()
      },
    },
    until,
  )
  const lastError = await ponder.ended
  run.abort()
  ending.hasServed = await serving
  await watching
  signal.removeEventListener('abort', stopping)
  ending.lastError ||= lastError
  return ending
}

/** Stops all reads from a build that contradicts its chain, and orders another one. */
async function abandonBuild(
  { sql, build, lines, logger }: LauncherOptions,
  { chainId, block }: ReplacedChain,
): Promise<'rebuild'> {
  const { postgresSchema } = build
  const reason = `reorganised below its final block ${block}`
  logger.error({ chainId, postgresSchema, block: Number(block) }, `chain ${chainId} was ${reason}`)
  await withholdBuild(sql, postgresSchema)
  // The cache is cleaned before the order, so that a restart in between repeats both.
  const line = lines.get(chainId)
  if (line) await forgetReplacedBlocks(sql, chainId, line.chainNodes)
  await replaceChain(sql, chainId, reason)
  return 'rebuild'
}
