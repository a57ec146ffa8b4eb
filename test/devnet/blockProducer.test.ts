import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { startBlockProducer } from '../../devnet/bots/blockProducer.ts'
import type { Bot } from '../../devnet/bots/startBot.ts'
import { type DevnetClient, worldClient } from '../../devnet/world.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'

const chainId = 2201
const DEPTH = 30n
const everyMs = 10

let nodes: TestWorld
let client: DevnetClient
let bot: Bot | undefined
beforeAll(async () => {
  nodes = await startTestWorld([chainId])
  client = worldClient(nodes.world, chainId)
})
afterEach(() => bot?.stop())
afterAll(() => nodes?.stop())

describe('startBlockProducer', () => {
  test('default: a transaction is mined and finalized, and then the chain rests', async () => {
    start({ idleSeconds: 3_600 })
    await untilItRests()
    const hash = await client.sendTransaction({ account: userAt(0), to: userAt(1).address })
    const { blockNumber } = await client.waitForTransactionReceipt({ hash })
    const head = await untilItRests()
    expect(head - blockNumber).toBeGreaterThanOrEqual(DEPTH)
    expect(head - blockNumber).toBeLessThan(2n * DEPTH)
  })

  test('behavior: a chain that rests still gets a block now and then, with the time of day', async () => {
    start({ idleSeconds: 1 })
    const head = await client.getBlockNumber()
    await expect.poll(() => client.getBlockNumber()).toBeGreaterThan(head + DEPTH + 5n)
    const { timestamp } = await client.getBlock()
    expect(Math.abs(Number(timestamp) - Date.now() / 1_000)).toBeLessThan(3)
  })
})

function start({ idleSeconds }: { idleSeconds: number }) {
  const logger = pino({ level: 'silent' })
  bot = startBlockProducer({ world: nodes.world, logger, everyMs, idleSeconds })
}

/** The head, once there was no new block for a while. */
async function untilItRests(): Promise<bigint> {
  for (;;) {
    const before = await client.getBlockNumber()
    await sleep(everyMs * 30)
    const head = await client.getBlockNumber()
    if (head === before) return head
  }
}
