import type { OpenBook } from '../sdk/src/shield/book.ts'
import { checkCall } from '../sdk/src/shield/checkCall.ts'
import type { Intent } from '../sdk/src/shield/intent.ts'
import { BOOK, NOW, offlineCases } from '../test/sdk/hostile/offlineCases.ts'
import { percentile } from '../test/support/percentile.ts'

/** Measures how long the client's shield takes for one transaction: `node bench/shield.ts`. Ends with 1 above 5 ms. */
const ROUNDS = 200
const MOST_MS = 5

const cases = (await offlineCases()).filter(({ reason, call }) => reason === null && call)
const book = BOOK as OpenBook // Its signature is not measured: it is checked once.
let worst = 0
for (const { name, intent, call, options } of cases) {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const from = performance.now()
    if (call) await checkCall(book, intent as Intent, call, { now: NOW, ...options })
    times.push(performance.now() - from)
  }
  const median = percentile(times, 0.5)
  worst = Math.max(worst, median)
  process.stdout.write(
    `${name}: p50 ${median.toFixed(2)} ms, p99 ${percentile(times, 0.99).toFixed(2)} ms\n`,
  )
}
if (worst > MOST_MS) process.exitCode = 1
