import type { Hex } from 'viem'
import type { IndexListener } from '../../db/indexListener.ts'
import { isDatabaseDown } from '../../db/isDatabaseDown.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { SignerUnavailableError } from '../../domain/error/signerUnavailableError.ts'
import { createDoorbell } from '../../domain/loop/doorbell.ts'
import { repeat } from '../../domain/loop/startLoop.ts'
import { openSpan, traced } from '../../domain/observation/tracing.ts'
import { LeaseLostError } from './chainLeases.ts'
import { type Head, readHead } from './chainReads.ts'
import { listDeposits } from './depositRows.ts'
import { isDue } from './dueDeposits.ts'
import { endRemoved } from './endRemoved.ts'
import { finalizeDeposits } from './finalizeDeposits.ts'
import { followIntents } from './followIntents.ts'
import { hasWork } from './hasWork.ts'
import type { Keeper } from './keeper.ts'
import { linkArrivals } from './linkArrivals.ts'
import { reconcileReorg } from './reconcileReorg.ts'
import { recordKeeper } from './recordKeeper.ts'
import { recordPass } from './recordPass.ts'
import { recoverOrders } from './recoverOrders.ts'
import { reopenAccepted } from './reopenAccepted.ts'
import { retainDeposit } from './retainDeposit.ts'
import { PartlyFailedError, runApart } from './runApart.ts'
import { searchLogs } from './searchLogs.ts'
import { settleDeposits } from './settleDeposits.ts'
import { sweepBalances } from './sweepBalances.ts'
import { placeWaiting } from './unplacedTransfers.ts'
import { watchTransfers } from './watchTransfers.ts'

/** Limits of the pause between two passes, which is half a block time otherwise. */
const POLL_MS = { least: 200, most: 4_000 }
/** Without a new block only time and operators change what there is to do: one statement looks so often whether anything is. */
const LOOK_MS = 2_000
/** A pass begins after so long, whatever that statement says. */
const QUIET_MS = 10_000

/**
 * Runs the keeper of one chain, pass by pass, until `signal` aborts or the lease is lost. The chain of a head that has stood for
 * a while is asked again rarely, and at once when the index has a new block.
 */
export async function runKeeper(
  keeper: Keeper,
  listener: Pick<IndexListener, 'onChange'>,
  signal: AbortSignal,
): Promise<void> {
  const { chain, lease, logger } = keeper
  const blockMs = chain.blockTimeSeconds * 1_000
  const pollMs = Math.min(Math.max(blockMs / 2, POLL_MS.least), POLL_MS.most)
  /** The last pass in which nothing failed, and the last look at what there is to do. */
  let last: { hash: Hex; at: number; lookedAt: number } | null = null
  const bell = createDoorbell()

  async function isQuiet({ hash }: Head): Promise<boolean> {
    if (last?.hash !== hash) return false
    const now = performance.now()
    if (now - last.at >= QUIET_MS) return false
    if (now - last.lookedAt < LOOK_MS) return true
    last.lookedAt = now
    return !(await hasWork(keeper))
  }
  async function pass() {
    if (!lease.isHeld()) return true
    const head = await readHeadOrDown(keeper)
    if (await isQuiet(head)) {
      const since = performance.now() - (last?.at ?? 0)
      if (since >= LOOK_MS) await bell.wait(Math.max(LOOK_MS - pollMs, 0), signal)
      return false
    }
    const at = performance.now()
    last = null
    const attributes = { 'causeway.chain_id': chain.id }
    const span = openSpan({ name: 'keeper', kind: 'internal', attributes })
    await traced(span, () => runPass(keeper, head))
    last = { hash: head.hash, at, lookedAt: at }
    return false
  }
  async function onFailure(error: unknown) {
    if (error instanceof LeaseLostError) return true
    // Each failure is in the log already.
    if (error instanceof PartlyFailedError) return
    const isOutside =
      error instanceof ServiceError ||
      error instanceof SignerUnavailableError ||
      isDatabaseDown(error)
    logger[isOutside ? 'warn' : 'error'](
      { chainId: chain.id, err: error },
      'a pass of the keeper failed and is repeated',
    )
    return retainWhileDown(keeper)
  }
  const stopListening = listener.onChange(bell.ring)
  await repeat({ run: pass, everyMs: pollMs, onFailure }, signal).finally(stopListening)
}

/**
 * One pass over everything that may have changed on a chain. A step that fails holds up none of the others, and the pass
 * throws `PartlyFailedError` in the end. Throws what a node or the database fails with, if that concerns all steps.
 */
export async function runPass(keeper: Keeper, given?: Head): Promise<void> {
  if (!keeper.memory.isRecorded) {
    await reopenAccepted(keeper)
    await recordKeeper(keeper)
  }
  const { sweep } = keeper.memory
  sweep.added = [...sweep.added, ...(await keeper.watched.refresh())]
  const head = given ?? (await readHeadOrDown(keeper))
  // If it fails as a whole, the others wait: it would not notice what they record on a chain that it has not seen.
  const comparison = await reconcileReorg(keeper, head).catch(orThrow)
  const steps: Step[] = [
    ['compare', () => (comparison ? Promise.reject(comparison) : Promise.resolve())],
    ['watch', () => watchTransfers(keeper, head)],
    ['place', () => placeWaiting(keeper, head)],
    ['link', () => linkArrivals(keeper)],
    ['recover', () => recoverOrders(keeper)],
    ['removed orders', () => endRemoved(keeper)],
    ['sweep', () => sweepBalances(keeper)],
    ['search', () => searchLogs(keeper)],
    ...(keeper.accounts.length > 0 ? sendingSteps(keeper, head) : []),
    ['finalize', () => finalizeDeposits(keeper, head)],
  ]
  const failure = await runApart(keeper, {
    items: steps,
    nameOf: ([name]) => name,
    run: ([, run]) => run(),
  }).catch(orThrow)
  await recordPass(keeper, failure?.failed ?? [])
  if (failure) throw failure
}

/** Notes since when no node has answered. */
async function readHeadOrDown(keeper: Keeper): Promise<Head> {
  keeper.memory.downSince ??= Date.now()
  const head = await readHead(keeper)
  keeper.memory.downSince = null
  return head
}

type Step = [name: string, run: () => Promise<void>]

function sendingSteps(keeper: Keeper, head: Head): Step[] {
  return [
    ['follow', () => followIntents(keeper, head)],
    ['settle', () => settleDeposits(keeper, head)],
  ]
}

function orThrow(error: unknown): PartlyFailedError {
  if (error instanceof PartlyFailedError) return error
  throw error
}

/** Retains the deposits of a chain whose nodes have not answered for long. */
async function retainWhileDown(keeper: Keeper): Promise<void> {
  const { memory, settings, chain, lease, logger } = keeper
  const isLong = memory.downSince !== null && Date.now() - memory.downSince >= settings.patienceMs
  if (!isLong || keeper.accounts.length === 0) return
  const why = `No node of chain ${chain.id} answers`
  try {
    for (const deposit of await listDeposits(keeper.sql, isDue(keeper)))
      await lease.write((sql) => retainDeposit(sql, keeper, { deposit, why }))
  } catch (error) {
    logger.warn(
      { chainId: chain.id, err: error },
      'the deposits of a chain that is down could not be retained',
    )
  }
}
