import { pause } from '../../domain/watch/pause.ts'
import type { Logger } from '../../processes/logger.ts'

export type Bot = { stop(): Promise<void> }

type LoopOptions = { name: string; everyMs: number; logger: Logger; run: () => Promise<void> }

/** Runs again and again until stopped. A failure (a node that is down) is logged and tried again. */
export function startLoop({ name, everyMs, logger, run }: LoopOptions): Bot {
  const stopping = new AbortController()
  async function go() {
    while (!stopping.signal.aborted) {
      await run().catch((error) =>
        logger.warn({ bot: name, error: String(error?.shortMessage ?? error) }, 'will try again'),
      )
      await pause(everyMs, stopping.signal)
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
