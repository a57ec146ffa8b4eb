import { expect, test } from 'vitest'
import { runPaymentRounds } from './paymentRounds.ts'

/** `npm run simulate -- payments` draws more, and with faults. */
const PAYMENTS = 30

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)

test(`behavior: random payments on six chains end as the rules say, and each token is where the ledger has it (seed ${seed})`, {
  timeout: 600_000,
}, async () => {
  const report = await runPaymentRounds({ payments: PAYMENTS, seed, faults: [], print: () => {} })
  expect(report.differences).toEqual([])
  expect(report.tally.deposited).toBeGreaterThan(0)
})
