import { randomBytes } from 'node:crypto'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { authenticateKey } from '../domain/access/authenticateKey.ts'
import { formatKey, randomKeyParts } from '../domain/access/keyFormat.ts'
import { createKey } from '../domain/access/keys.ts'
import { createOrganization } from '../domain/access/organizations.ts'
import { percentile } from '../test/support/percentile.ts'
import { startBenchPostgres } from './benchPostgres.ts'

/**
 * Tests whether the time of a refusal shows if the secret is wrong or the public id unknown: refusals of
 * both, in turns, among 1,000 keys, and of the first against itself, to measure chance:
 * `node bench/keyTiming.ts`.
 */
const KEYS = 1_000
const WARM_UP = 2_000
const ROUNDS = 20_000
/** A share of slower pairs that is further from a half than this is a difference. */
const CHANCE = 0.02
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startBenchPostgres()
await migrate(postgres.url)
const sql = connect(postgres.url, { applicationName: 'bench', max: 1 })
try {
  const context = { sql, appSecret: randomBytes(32), actor: 'bench', bounds: null }
  const { id: organizationId } = await createOrganization(context, 'Bench')
  const publicIds: string[] = []
  for (let made = 0; made < KEYS; made += 1)
    publicIds.push((await createKey(context, { organizationId })).publicId)

  const known = () => publicIds[Math.floor(Math.random() * KEYS)] ?? ''
  const kinds = {
    'unknown public id': () => formatKey(randomKeyParts()),
    'wrong secret': () => formatKey({ ...randomKeyParts(), publicId: known() }),
    'wrong secret, again': () => formatKey({ ...randomKeyParts(), publicId: known() }),
  }
  const microseconds = new Map(Object.keys(kinds).map((kind) => [kind, [] as number[]]))
  for (let round = -WARM_UP; round < ROUNDS; round += 1)
    // In another order each round, so that no kind always follows the same one.
    for (const [kind, make] of Object.entries(kinds).sort(() => Math.random() - 0.5)) {
      const key = make()
      const startedAt = performance.now()
      // Most keys are refused; the time of the refusal is measured.
      await authenticateKey(context, key).catch(() => {})
      const taken = (performance.now() - startedAt) * 1_000
      if (round >= 0) microseconds.get(kind)?.push(taken)
    }

  for (const [kind, taken] of microseconds) {
    const at = [0.1, 0.5, 0.9, 0.99].map((share) => percentile(taken, share).toFixed(0))
    print(`${kind.padEnd(20)} p10 ${at[0]}  p50 ${at[1]}  p90 ${at[2]}  p99 ${at[3]} µs`)
  }
  const [unknown = [], wrong = [], again = []] = microseconds.values()
  const wrongIsSlower = shareOfSlower(wrong, unknown)
  print(
    `refusing a known id took longer than refusing an unknown one in ${percent(wrongIsSlower)} of pairs`,
  )
  print(
    `comparing refusals of the same kind, one took longer in ${percent(shareOfSlower(wrong, again))}`,
  )
  print(
    Math.abs(wrongIsSlower - 0.5) < CHANCE
      ? 'the time of a refusal does not reveal known ids'
      : 'THE TIME OF A REFUSAL REVEALS KNOWN IDS',
  )
} finally {
  await sql.end()
  await postgres.stop()
}

/** The share of all pairs in which one of `these` is above one of `those`: a half if both are alike. */
function shareOfSlower(these: number[], those: number[]): number {
  const sorted = those.toSorted((a, b) => a - b)
  let below = 0
  let above = 0
  for (const value of these.toSorted((a, b) => a - b)) {
    while (below < sorted.length && (sorted[below] ?? 0) < value) below += 1
    above += below
  }
  return above / (these.length * those.length)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}
