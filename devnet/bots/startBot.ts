import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import type { Logger } from '../../processes/logger.ts'

export type Bot = Loop

type BotOptions = { name: string; everyMs: number; logger: Logger }
type BotOfChain = { chainId: number; run: () => Promise<void> }

/** Runs a bot on each chain until it is stopped. A failure (a node that is down) is logged and tried again. */
export function startBot({ name, everyMs, logger }: BotOptions, chains: BotOfChain[]): Bot {
  const loops = chains.map(({ chainId, run }) =>
    startLoop({
      run,
      everyMs,
      onFailure: (error) => {
        const { shortMessage } = Object(error) as { shortMessage?: string }
        logger.warn({ bot: name, chainId, error: shortMessage ?? String(error) }, 'will try again')
      },
    }),
  )
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
