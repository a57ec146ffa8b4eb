import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { runReorgRounds } from './reorgRounds.ts'
import { leastRounds } from './roundsWithin.ts'

/** `npm run simulate -- reorgs` runs more of them, or a seed again. */
const ROUNDS = 20
const SECONDS = 16

describe('reorganisations', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct({ withVaults: true })
  })
  afterAll(() => product?.stop())

  test('behavior: the index is the chain after each, and contradicts it at no time', {
    timeout: ROUNDS * 12_000,
  }, async () => {
    const report = await runReorgRounds({
      product,
      rounds: ROUNDS,
      seconds: SECONDS,
      seed: Number(process.env.SEED ?? Date.now() % 1_000_000),
      print: () => {},
    })
    const played = report.healedMs.length
    expect(played).toBeGreaterThanOrEqual(leastRounds(ROUNDS))
    expect(report.vaultRows).toBeGreaterThan(0)
    expect(report.answers - report.catchingUp).toBeGreaterThan(played)
    expect(report.unchanged).toBeGreaterThan(played)
    expect(report.lostNotifications).toBeGreaterThan(0)
  })
})
