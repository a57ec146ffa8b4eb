import { setTimeout as sleep } from 'node:timers/promises'
import { pause } from '../loop/pause.ts'

/**
 * Whether a chain's nodes answer. `slow`: only after `latencyMs`, or not yet for so long. `down`: several
 * questions in a row had no answer.
 */
export type Pulse =
  | { status: 'up'; head: bigint; latencyMs: number }
  | { status: 'slow'; latencyMs: number }
  | { status: 'down' }

export type ChainPulse = {
  /** Asks the nodes for their head, unless that is under way. Answers after `lateMs` at the latest. */
  check(): Promise<Pulse>
}

export type PulseTimes = {
  /** An answer that takes longer is late. */
  lateMs: number
  /** A question has no answer if none came within this time. */
  silenceMs: number
  /** Between two questions without an answer. */
  pauseMs: number
}

const TIMES: PulseTimes = { lateMs: 1_000, silenceMs: 10_000, pauseMs: 1_000 }
/** The questions in a row without an answer after which a chain counts as down. */
const SILENCES = 3

/** The newest block of a chain, and how long its nodes took. */
export type Beat = { head: bigint; latencyMs: number }

/**
 * Asks only while somebody checks: a check begins a question, which goes on after the check has answered, and
 * is repeated until there is an answer or the chain is down. `ask` gets the time that it may take.
 */
export function createChainPulse(
  ask: (timeoutMs: number) => Promise<Beat>,
  { lateMs, silenceMs, pauseMs }: PulseTimes = TIMES,
): ChainPulse {
  let silences = 0
  let last: Beat | null = null
  let since = 0
  let asking: Promise<void> | null = null

  async function untilKnown() {
    since = performance.now()
    do {
      try {
        last = await ask(silenceMs)
        silences = 0
        return
      } catch {
        // The check reports a chain as down after some silences, and the node's own log has the error.
        silences = Math.min(silences + 1, SILENCES)
      }
      if (silences < SILENCES) await sleep(pauseMs, undefined, { ref: false })
    } while (silences < SILENCES)
  }

  return {
    async check() {
      asking ??= untilKnown().finally(() => {
        asking = null
      })
      const question = asking
      const over = new AbortController()
      await Promise.race([question, pause(lateMs, over.signal)])
      over.abort()
      if (silences >= SILENCES) return { status: 'down' }
      const isUnderWay = asking === question
      if (!isUnderWay && last && last.latencyMs <= lateMs) return { status: 'up', ...last }
      const silentMs = isUnderWay ? Math.round(performance.now() - since) : 0
      return { status: 'slow', latencyMs: Math.max(silentMs, last?.latencyMs ?? 0) }
    },
  }
}
