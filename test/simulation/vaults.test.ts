import { type Hex, toEventSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import type { OracleLog } from '../support/vaultOracle/oracleChain.ts'
import { crossCheck } from '../support/vaultOracle/oracleCrossCheck.ts'
import { PROCESSED } from '../support/vaultOracle/oracleOrders.ts'
import { RATE_UPDATED, SHARE_TRANSFER } from '../support/vaultOracle/oracleSeries.ts'
import { openVaultOracle } from '../support/vaultOracle.ts'
import { roundsWithin } from './roundsWithin.ts'
import { runVaultRound, VAULT_ROUND_CHAINS, VAULT_ROUND_WORLD } from './vaultRounds.ts'

/** One history that goes on with each seed. `npm run simulate -- vaults` runs more, or a seed again. */
const SEEDS = 4
const SECONDS = 22
const MOVES = 24
const FIRST_SEED = Number(process.env.SEED ?? Date.now() % 1_000_000)

describe('vaults', () => {
  let product: TestProduct
  beforeAll(async () => {
    product = await startTestProduct(VAULT_ROUND_WORLD)
  })
  afterAll(() => product?.stop())

  test(`behavior: every list is what the oracle makes of the chains, from seed ${FIRST_SEED} on`, {
    timeout: SEEDS * 120_000,
  }, async () => {
    for (const round of roundsWithin(SEEDS, SECONDS)) {
      const seed = FIRST_SEED + round - 1
      const played = await runVaultRound({ product, seed, moves: MOVES, queries: 3 })
      const { passed } = played.calls
      expect(passed, `seed ${seed}`).toBeGreaterThan(MOVES * VAULT_ROUND_CHAINS.length * 0.7)
      expect(played.endings.size, `seed ${seed}`).toBeGreaterThan(2)
    }
  })

  test('error: an oracle that lacks a log contradicts the contracts', async () => {
    const oracle = await openVaultOracle(product.addressBookFile, product.world.rpcUrls)
    expect(await crossCheck(oracle)).toEqual([])
    for (const isLost of [isMove, isRate, isPayment]) {
      const [chain] = oracle.chains.filter(({ logs }) => logs.some(isLost))
      const [lost] = chain?.logs.splice(chain.logs.findIndex(isLost), 1) ?? []
      expect(await crossCheck(oracle)).not.toEqual([])
      if (lost) chain?.logs.push(lost)
      chain?.logs.sort((a, b) => a.block - b.block || a.index - b.index)
      expect(await crossCheck(oracle)).toEqual([])
    }
  })
})

function isMove({ topic, indexed: [from, to], words: [amount] }: OracleLog): boolean {
  return isOne(topic, SHARE_TRANSFER) && amount !== undefined && amount > 0n && from !== to
}

function isRate({ topic, words: [before, after] }: OracleLog): boolean {
  return isOne(topic, RATE_UPDATED) && before !== after
}

function isPayment({ topic, words }: OracleLog): boolean {
  return isOne(topic, PROCESSED) && words[4] === 0n
}

function isOne(topic: Hex, signatures: string[]): boolean {
  return signatures.map(toEventSelector).includes(topic)
}
