import type { Hex } from 'viem'
import { transitStationAbi } from '../../abis/transitStation.ts'
import type { Logger } from '../../processes/logger.ts'
import { type Fill, fillOrders } from '../fillOrders.ts'
import { type DevnetClient, type World, worldClient, worldStations } from '../world.ts'
import { createHoldReader, HOLD_FILL } from './hold.ts'
import { type Bot, startLoop } from './loop.ts'

export type ExecutorOptions = {
  world: World
  logger: Logger
  everyMs?: number
  /** 0..1: how often an order is first filled in part. */
  partShare?: number
}

/** An order that could not be filled (a blacklisted receiver) must not hold up the others. */
const RETRY_MS = 30_000
/** What fits well into the gas of one block. */
const MOST_FILLS = 50

/** Fills pending orders, some of them in two parts. Orders coded HOLD_FILL stay open. */
export function startExecutor(options: ExecutorOptions): Bot {
  const { world, logger, everyMs = 250, partShare = 0.3 } = options
  const hold = createHoldReader(world)
  const loops = worldStations(world).map(({ chainId, station }) => {
    const client = worldClient(world, chainId)
    const started = new Set<Hex>()
    const notBefore = new Map<Hex, number>()

    async function dueFills(): Promise<Fill[]> {
      const orders = await client.readContract({
        address: station,
        abi: transitStationAbi,
        functionName: 'getPendingOrders',
      })
      const fills: Fill[] = []
      for (const { terms, amountDue } of orders) {
        if (fills.length === MOST_FILLS) break
        if ((notBefore.get(terms.uuid) ?? 0) > Date.now()) continue
        if ((await hold.distributorCode(terms.uuid)) === HOLD_FILL) continue
        const isPart = !started.has(terms.uuid) && amountDue > 1n && Math.random() < partShare
        started.add(terms.uuid)
        fills.push({
          orderId: terms.uuid,
          wantAsset: terms.wantAsset,
          amount: isPart ? amountDue / 2n : amountDue,
        })
      }
      return fills
    }

    return startLoop({
      name: `executor ${chainId}`,
      everyMs,
      logger,
      async run() {
        const fills = await dueFills()
        if (fills.length === 0) return
        for (const failed of await fillAll({ client, station, fills, logger }))
          notBefore.set(failed.orderId, Date.now() + RETRY_MS)
      },
    })
  })
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

type FillAll = { client: DevnetClient; station: Hex; fills: Fill[]; logger: Logger }

/** All at once, or one by one when that reverts; returns what could not be filled. */
async function fillAll({ client, station, fills, logger }: FillAll): Promise<Fill[]> {
  try {
    const { status } = await fillOrders(client, station, fills)
    if (status !== 'success') throw new Error('the fill reverted')
    for (const { orderId, amount } of fills)
      logger.info({ orderId, amount: String(amount), chainId: client.chain.id }, 'filled')
    return []
  } catch (error) {
    const [only] = fills
    if (fills.length === 1 && only) {
      logger.warn({ orderId: only.orderId, error: String(error) }, 'cannot be filled')
      return fills
    }
  }
  const failed: Fill[] = []
  for (const fill of fills)
    failed.push(...(await fillAll({ client, station, fills: [fill], logger })))
  return failed
}
