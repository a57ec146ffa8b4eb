import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_REFUSED_USER, userAt } from '../../devnet/accounts.ts'
import { startExecutor } from '../../devnet/bots/executor.ts'
import { startJourneyMaker } from '../../devnet/bots/journeyMaker.ts'
import { startRelayer } from '../../devnet/bots/relayer.ts'
import { createLogger } from '../../processes/logger.ts'
import { keyOf } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import { type JourneyWorld, startJourneyWorld } from '../support/journeyWorld.ts'

let journeys: JourneyWorld
const stops: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  journeys = await startJourneyWorld()
})
afterAll(async () => {
  for (const stop of stops) await stop()
  await journeys?.stop()
})

type Shown = { id: string; status: string; customerId?: string }

async function shown(): Promise<Shown[]> {
  const users = [userAt(4).address, DEVNET_REFUSED_USER.address]
  const lists = users.map(async (user) => {
    const { body } = await getJson<{ journeys: Shown[] }>(
      `${journeys.product.url}/v2/earn/journeys?userAddress=${user}`,
    )
    return body.journeys
  })
  return (await Promise.all(lists)).flat()
}

const endings = async () =>
  Object.fromEntries((await shown()).map(({ customerId, status }) => [customerId, status]))

test('default: the world has a journey of each of its endings, and each once', async () => {
  const { url, world } = journeys.product
  const logger = createLogger('bots', 'silent')
  const apiKey = keyOf(url) ?? ''
  const maker = () => startJourneyMaker({ world, logger, apiUrl: url, apiKey, everyMs: 100 })
  const bots = [
    startRelayer({ world, logger }),
    startExecutor({ world, logger, partShare: 0 }),
    maker(),
  ]
  for (const bot of bots) stops.push(bot.stop)
  await expect.poll(endings).toEqual({
    'local-finalized': 'DEPOSITED',
    'local-retained': 'RETAINED',
    'local-recovered': 'RECOVERED',
    'local-removed': 'REMOVED',
  })
  await journeys.finalize()
  await expect.poll(endings).toMatchObject({ 'local-finalized': 'FINALIZED' })
  // As after a restart.
  const again = maker()
  stops.push(again.stop)
  const ids = (await shown()).map(({ id }) => id)
  expect(ids).toHaveLength(4)
  await journeys.finalize()
  expect((await shown()).map(({ id }) => id)).toEqual(ids)
})
