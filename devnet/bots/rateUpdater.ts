import { accountantAAbi, accountantAbi } from '../../abis/accountant.ts'
import type { Logger } from '../../processes/logger.ts'
import { DEVNET_ACTORS } from '../accounts.ts'
import { accountantOperatorAbi } from '../vaults/operatorAbis.ts'
import { type VaultInUse, worldVaults } from '../vaults/worldVaults.ts'
import { type DevnetClient, worldClient } from '../world.ts'
import { type Bot, type BotOptions, startBot } from './startBot.ts'

type RateUpdaterOptions = Omit<BotOptions, 'activity'>

/** The share of updates that lower the rate. */
const DOWN_SHARE = 0.1
/** In millionths of the rate: an hourly step of a vault that earns some percent a year. */
const MOST_STEP = 20
/** Each update is followed by blocks until it is finalized, so a frequent one would never let a chain rest. */
const EVERY_MS = 3_600_000
const MILLION = 1_000_000n

/**
 * Moves every vault's rate a little, mostly up, unless its accountant is paused or was updated less than the
 * interval ago, for example before a restart.
 */
export function startRateUpdater({ world, logger, everyMs = EVERY_MS }: RateUpdaterOptions): Bot {
  const perChain = Map.groupBy(worldVaults(world), ({ chainId }) => chainId)
  const chains = [...perChain].map(([chainId, vaults]) => {
    const client = worldClient(world, chainId)
    return {
      chainId,
      async run() {
        for (const vault of vaults)
          await updateRate(client, vault, { logger, everySeconds: Math.floor(everyMs / 1_000) })
      },
    }
  })
  return startBot({ name: 'rate updater', everyMs, logger }, chains)
}

type Update = { logger: Logger; everySeconds: number }

async function updateRate(
  client: DevnetClient,
  { name, accountant }: VaultInUse,
  { logger, everySeconds }: Update,
) {
  const state = await readState(client, accountant)
  const { timestamp } = await client.getBlock()
  const pause = BigInt(Math.max(Number(state.delay), everySeconds))
  if (state.isPaused || timestamp < state.updatedAt + pause) return
  const newRate = nextRate(state.rate)
  const hash = await client.writeContract({
    account: DEVNET_ACTORS.rateUpdater,
    address: accountant.address,
    abi: accountantOperatorAbi,
    functionName: 'updateExchangeRate',
    args: [newRate],
  })
  await client.waitForTransactionReceipt({ hash })
  logger.info({ vault: name, chainId: client.chain.id, rate: String(newRate) }, 'rate updated')
}

async function readState(client: DevnetClient, { address, generation }: VaultInUse['accountant']) {
  if (generation === 'A') {
    const words = await client.readContract({
      address,
      abi: accountantAAbi,
      functionName: 'accountantState',
    })
    return { rate: words[3], isPaused: words[7], updatedAt: words[6], delay: words[8] }
  }
  const words = await client.readContract({
    address,
    abi: accountantAbi,
    functionName: 'accountantState',
  })
  return { rate: words[3], isPaused: words[8], updatedAt: words[7], delay: words[9] }
}

function nextRate(rate: bigint): bigint {
  const millionths = BigInt(1 + Math.floor(Math.random() * MOST_STEP))
  const step = (rate * millionths) / MILLION || 1n
  return Math.random() < DOWN_SHARE ? rate - step : rate + step
}
