import { expect, onTestFinished, test } from 'vitest'
import { DEVNET_REFUSED_USER, userAt } from '../../devnet/accounts.ts'
import { startExecutor } from '../../devnet/bots/executor.ts'
import { startJourneyMaker } from '../../devnet/bots/journeyMaker.ts'
import { startRelayer } from '../../devnet/bots/relayer.ts'
import { createLogger } from '../../processes/logger.ts'
import { keyOf } from '../support/ask.ts'
import { getJson } from '../support/getJson.ts'
import type { JourneyWorld } from '../support/journeyWorld.ts'

type Shown = { id: string; status: string; customerId?: string }

/** Its bots deliver and execute every open order of the world. */
export function testJourneyMaker(journeys: () => JourneyWorld) {
  /** The maker's own. */
  async function shown(): Promise<Shown[]> {
    const users = [userAt(4).address, DEVNET_REFUSED_USER.address]
    const lists = users.map(async (user) => {
      const { body } = await getJson<{ journeys: Shown[] }>(
        `${journeys().product.url}/v2/earn/journeys?userAddress=${user}&pageSize=100`,
      )
      return body.journeys.filter(({ customerId }) => customerId?.startsWith('local-'))
    })
    return (await Promise.all(lists)).flat()
  }
  const endings = async () =>
    Object.fromEntries((await shown()).map(({ customerId, status }) => [customerId, status]))

  test('default: the maker of journeys: one of each of the endings, and each once', async () => {
    const { product, finalize } = journeys()
    const { url, world } = product
    const logger = createLogger('bots', 'silent')
    const apiKey = keyOf(url) ?? ''
    const maker = () => startJourneyMaker({ world, logger, apiUrl: url, apiKey, everyMs: 100 })
    const bots = [
      startRelayer({ world, logger }),
      startExecutor({ world, logger, partShare: 0 }),
      maker(),
    ]
    for (const bot of bots) onTestFinished(() => bot.stop())
    await expect.poll(endings).toEqual({
      'local-finalized': 'DEPOSITED',
      'local-retained': 'RETAINED',
      'local-recovered': 'RECOVERED',
      'local-removed': 'REMOVED',
    })
    await finalize()
    await expect.poll(endings).toMatchObject({ 'local-finalized': 'FINALIZED' })
    // As after a restart.
    const again = maker()
    onTestFinished(() => again.stop())
    const ids = (await shown()).map(({ id }) => id)
    expect(ids).toHaveLength(4)
    await finalize()
    expect((await shown()).map(({ id }) => id)).toEqual(ids)
  })
}
