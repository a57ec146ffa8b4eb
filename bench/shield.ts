import type { OpenBook } from '../sdk/src/shield/book.ts'
import { checkCall } from '../sdk/src/shield/checkCall.ts'
import type { Intent } from '../sdk/src/shield/intent.ts'
import { earnCases } from '../test/sdk/hostile/offlineEarnCases.ts'
import { transitCases } from '../test/sdk/hostile/offlineTransitCases.ts'
import { BOOK, NOW } from '../test/sdk/hostile/offlineWorld.ts'

/**
 * Measures the processor time that the client's shield takes for one transaction: `node bench/shield.ts`. Ends with 1 above
 * 5 ms.
 */
const ROUNDS = 200
/** Until the code is compiled. */
const WARM_UP = 100
const MOST_MS = 5

const cases = [...(await transitCases()), ...earnCases()].filter(
  ({ reason, call }) => reason === null && call,
)
const book = BOOK as OpenBook // Its signature is not measured: it is checked once.
let worst = 0
for (const { name, intent, call, options } of cases) {
  const check = () => call && checkCall(book, intent as Intent, call, { now: NOW, ...options })
  for (let round = 0; round < WARM_UP; round++) await check()
  const before = process.cpuUsage()
  for (let round = 0; round < ROUNDS; round++) await check()
  const { user, system } = process.cpuUsage(before)
  const milliseconds = (user + system) / 1_000 / ROUNDS
  worst = Math.max(worst, milliseconds)
  process.stdout.write(`${name}: ${milliseconds.toFixed(2)} ms\n`)
}
if (worst > MOST_MS) process.exitCode = 1
