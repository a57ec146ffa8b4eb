import { type Loop, startLoop } from '../../domain/loop/startLoop.ts'
import type { Logger } from '../../processes/logger.ts'
import type { World } from '../world.ts'
import type { ChainActivity } from './chainActivity.ts'

export type Bot = Loop

export type BotOptions = {
  world: World
  logger: Logger
  everyMs?: number
  /** Without it, quiet chains are looked at as often as others. */
  activity?: ChainActivity | undefined
}
type StartedBot = Pick<BotOptions, 'logger' | 'activity'> & { name: string; everyMs: number }
type BotOfChain = { chainId: number; run: () => Promise<void> }

/** Runs a bot on each chain until it is stopped. A failure (a node that is down) is logged and tried again. */
export function startBot(
  { name, everyMs, logger, activity }: StartedBot,
  chains: BotOfChain[],
): Bot {
  const loops = chains.map(({ chainId, run }) =>
    startLoop({
      run: activity ? () => run().finally(() => activity.pause(chainId, everyMs)) : run,
      everyMs: activity ? 0 : everyMs,
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
