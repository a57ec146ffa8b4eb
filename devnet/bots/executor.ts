import type { Hex } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { Logger } from '../../processes/logger.ts'
import { type Execution, executeOrders } from '../executeOrders.ts'
import { type DevnetClient, worldClient, worldStations } from '../world.ts'
import { createHoldReader, HOLD_EXECUTION } from './hold.ts'
import { type Bot, type BotOptions, startBot } from './startBot.ts'

type ExecutorOptions = BotOptions & {
  /** 0..1: the share of orders whose first execution is partial. */
  partShare?: number
}

/** An order that cannot be executed (a blacklisted receiver) must not hold up the others. */
const RETRY_MS = 30_000
/** This many executions fit into the gas of one block. */
const MOST_EXECUTIONS = 50

/** Executes pending orders, some of them in two parts. Orders with the code HOLD_EXECUTION stay open. */
export function startExecutor(options: ExecutorOptions): Bot {
  const { world, logger, everyMs = 250, partShare = 0.3, activity } = options
  const hold = createHoldReader(world)
  const chains = worldStations(world).map(({ chainId, station }) => {
    const client = worldClient(world, chainId)
    const started = new Set<Hex>()
    const notBefore = new Map<Hex, number>()

    async function dueExecutions(): Promise<Execution[]> {
      const orders = await client.readContract({
        address: station,
        abi: transitStationAbi,
        functionName: 'getPendingOrders',
      })
      const executions: Execution[] = []
      for (const { terms, amountDue } of orders) {
        if (executions.length === MOST_EXECUTIONS) break
        if ((notBefore.get(terms.uuid) ?? 0) > Date.now()) continue
        if ((await hold.distributorCode(terms.uuid)) === HOLD_EXECUTION) continue
        const isPart = !started.has(terms.uuid) && amountDue > 1n && Math.random() < partShare
        started.add(terms.uuid)
        executions.push({
          orderId: terms.uuid,
          wantAsset: terms.wantAsset,
          amount: isPart ? amountDue / 2n : amountDue,
        })
      }
      return executions
    }

    return {
      chainId,
      async run() {
        const executions = await dueExecutions()
        if (executions.length === 0) return
        for (const failed of await executeAll({ client, station, executions, logger }))
          notBefore.set(failed.orderId, Date.now() + RETRY_MS)
      },
    }
  })
  return startBot({ name: 'executor', everyMs, logger, activity }, chains)
}

type ExecuteAll = { client: DevnetClient; station: Hex; executions: Execution[]; logger: Logger }

/**
 * Executes all orders at once, or one by one if that reverts. Returns the orders that could not be
 * executed.
 */
async function executeAll({
  client,
  station,
  executions,
  logger,
}: ExecuteAll): Promise<Execution[]> {
  try {
    const { status } = await executeOrders(client, station, executions)
    if (status !== 'success') throw new Error('the execution reverted')
    for (const { orderId, amount } of executions)
      logger.info({ orderId, amount: String(amount), chainId: client.chain.id }, 'executed')
    return []
  } catch (error) {
    const [only] = executions
    if (executions.length === 1 && only) {
      logger.warn({ orderId: only.orderId, error: String(error) }, 'cannot be executed')
      return executions
    }
  }
  const failed: Execution[] = []
  for (const execution of executions)
    failed.push(...(await executeAll({ client, station, executions: [execution], logger })))
  return failed
}
