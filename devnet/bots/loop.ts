import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../processes/logger.ts'

export type Bot = { stop(): Promise<void> }

type LoopOptions = { name: string; everyMs: number; logger: Logger; run: () => Promise<void> }

/** Runs again and again until stopped; a failure (a node that is down) is said and tried again. */
export function startLoop({ name, everyMs, logger, run }: LoopOptions): Bot {
  const stopping = new AbortController()
  async function go() {
    while (!stopping.signal.aborted) {
      await run().catch((error) =>
        logger.warn({ bot: name, error: String(error?.shortMessage ?? error) }, 'will try again'),
      )
      // Ends at once when it is stopped.
      await sleep(everyMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const running = go()
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
