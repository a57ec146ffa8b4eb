import { expect, test } from 'vitest'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { registerOverApi } from '../chaos/depositPlaces.ts'
import { checkJourneys } from '../chaos/journeyTruth.ts'
import { createRandomTraffic } from '../simulation/randomTraffic.ts'
import type { JourneyWorld } from '../support/journeyWorld.ts'
import { seededRandom } from '../support/seededRandom.ts'

const SEED = Number(process.env.SEED ?? 7)
const STEPS = 60

/** It compares whole lists of users: the world must have no journey yet. */
export function testJourneyTruth(world: () => JourneyWorld) {
  test(`behavior: random journeys are those of the nodes' logs, SEED=${SEED}`, async () => {
    const { product, finalize } = world()
    const { url } = product
    const random = seededRandom(SEED)
    // The other vault has a fee, and small parts of an order would be retained.
    const { vault } = vaultDeployment('Harbor Dollar', 1)
    const registered = await registerOverApi(url, product.world)
    const places = registered.filter((place) => place.vault === vault)
    const traffic = createRandomTraffic(product.world, random, {
      isOfThese: true,
      receiverOf({ to, want }) {
        const [first, ...others] = places.filter(
          ({ token }) => to === 1 && token === DEPLOYMENT.tokens[want],
        )
        return first && random.pick([first, ...others]).address
      },
    })
    for (let step = 0; step < STEPS; step += 1) await traffic.step()
    await finalize()
    const check = async () => {
      await finalize()
      return checkJourneys(url, product.world, places).then(
        ({ journeys }) => journeys,
        (error: unknown) => String(error),
      )
    }
    await expect.poll(check, { interval: 1_000 }).toBe(traffic.orderIds().length)
  })
}
