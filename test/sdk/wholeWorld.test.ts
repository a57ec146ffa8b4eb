import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startAttestationServer } from '../../devnet/attestations.ts'
import { worldClient } from '../../devnet/world.ts'
import { type CausewayClient, createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { CausewayError } from '../../sdk/src/error/causewayError.ts'
import { type OpenBook, openBook } from '../../sdk/src/shield/book.ts'
import { ShieldError } from '../../sdk/src/shield/shieldError.ts'
import type { VaultNode } from '../../sdk/src/shield/vaultRate.ts'
import { keyOf } from '../support/ask.ts'
import { freePorts } from '../support/freePorts.ts'
import { startTestProduct } from '../support/product.ts'
import { seededRandom } from '../support/seededRandom.ts'
import { until } from '../support/until.ts'
import { drawAnswer } from './hostile/drawAnswer.ts'
import { alter, isHarmless, keptNode, refusalOf } from './hostile/fuzz.ts'
import { ALL_CHAIN_IDS, type Places, settleIn } from './hostile/places.ts'
import type { Drawn, Scenario } from './hostile/scenarios.ts'

/**
 * The shield over every chain, route and vault of the local world: real answers, unaltered and altered by chance. By command:
 * `SHIELD_SEED=7 SHIELD_ALTERED=100000 SHIELD_UNALTERED=10000`.
 */
const SEED = Number(process.env.SHIELD_SEED ?? 1)
const ALTERED = Number(process.env.SHIELD_ALTERED ?? 2_000)
const UNALTERED = Number(process.env.SHIELD_UNALTERED ?? 300)
/** Milliseconds, on a busy machine. */
const LONG = 300_000 + 500 * UNALTERED + 20 * ALTERED
const API_KEY = 'whole-world'

const started = new AsyncDisposableStack()
let causeway: CausewayClient
let places: Places
let book: OpenBook
let nodes: Map<number, VaultNode>

beforeAll(async () => {
  const [port = 0] = await freePorts(1)
  const product = await startTestProduct({
    withVaults: true,
    chainIds: ALL_CHAIN_IDS,
    variables: {
      ATTESTATION_URL: `http://127.0.0.1:${port}/v2/attestation`,
      ATTESTATION_API_KEY: API_KEY,
    },
  })
  started.defer(product.stop)
  const { world, shield, url } = product
  const attester = await startAttestationServer({ world, port, apiKey: API_KEY })
  started.defer(attester.stop)
  nodes = new Map(ALL_CHAIN_IDS.map((id) => [id, worldClient(world, id)]))
  causeway = createCausewayClient({
    url,
    apiKey: keyOf(url) ?? '',
    shield: 'trust-server', // The drawn answers are checked here.
    retry: { attempts: 1 },
  })
  book = await openBook(shield)
  places = await settleIn(world)
  for (const { requestId } of places.vaults)
    await until(
      () =>
        causeway.earn.withdrawalRequest({ id: requestId }).then(
          () => true,
          () => false,
        ),
      () => `the index has no request ${requestId}`,
    )
})
afterAll(() => started.disposeAsync())

/** The reason for which the shield refuses an answer, or null. */
async function reasonOf(answer: Drawn): Promise<string | null> {
  if ('scenario' in answer) {
    const { scenario } = answer
    return refusalOf(book, scenario, nodes.get(scenario.call.chainId))
  }
  try {
    answer.check(book)
    return null
  } catch (error) {
    if (error instanceof ShieldError) return error.reason
    throw error
  }
}

describe('by chance', () => {
  const drawn: Scenario[] = []

  test(`default: ${UNALTERED} unaltered answers of seed ${SEED} are not refused`, {
    timeout: LONG,
  }, async () => {
    const random = seededRandom(SEED)
    const names: string[] = []
    while (names.length < UNALTERED) {
      const answer = await drawAnswer({ causeway, random, places }).catch((error) => {
        // What it costs to fill an order bounds its amount.
        if (error instanceof CausewayError && error.reason === 'BELOW_MIN_ORDER_SIZE') return null
        throw error
      })
      if (!answer) continue
      names.push(answer.name)
      if ('scenario' in answer) drawn.push(answer.scenario)
      expect([answer, await reasonOf(answer)]).toEqual([answer, null])
    }
    process.stdout.write(`${names.length} answers, ${new Set(names).size} of them different\n`)
    const isDrawn = ({ address }: { address: string }) =>
      names.some((name) => name.includes(address))
    expect(places.vaults.filter((vault) => !isDrawn(vault))).toEqual([])
  })

  test(`error: none of ${ALTERED} altered answers of seed ${SEED} is signed but a harmless one`, {
    timeout: LONG,
  }, async () => {
    const random = seededRandom(SEED + 1)
    const kept = new Map([...nodes].map(([id, node]) => [id, keptNode(node)]))
    const reasons = new Map<string | null, number>()
    for (let count = 0; count < ALTERED; count++) {
      const before = drawn[random.integer(0, drawn.length - 1)] as Scenario
      const after = alter(random, before, drawn)
      const reason = await refusalOf(book, after, kept.get(before.call.chainId))
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
      if (reason === null && !isHarmless(before, after.call))
        expect({ before, after }).toBe('a harmless change')
    }
    process.stdout.write(`${JSON.stringify(Object.fromEntries(reasons))}\n`)
    expect(reasons.size).toBeGreaterThan(8)
  })
})
