import { migrate } from '../../db/migrate.ts'
import { percentile } from '../support/percentile.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { type ReorgReport, runReorgRounds } from './reorgRounds.ts'

/** The long form of the reorganisations: `node test/simulation/runReorgs.ts [rounds] [seed]`. */
const rounds = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
/** After some 2,000 blocks anvil loses the state of its contracts in a reorganisation. */
const ROUNDS_PER_WORLD = 50
const print = (line: string) => process.stdout.write(`${line}\n`)

print(`${rounds} rounds, seed ${seed}`)
const reports: ReorgReport[] = []
for (let done = 0; done < rounds; done += ROUNDS_PER_WORLD)
  reports.push(await runWorld(Math.min(ROUNDS_PER_WORLD, rounds - done), seed + done))

const healed = reports.flatMap(({ healedMs }) => healedMs)
const at = (share: number) => Math.round(percentile(healed, share))
const sum = (of: (report: ReorgReport) => number) =>
  reports.reduce((total, report) => total + of(report), 0)
print(
  `${healed.length} rounds: ${sum(({ orders }) => orders)} orders, ${sum(({ vaultRows }) => vaultRows)} rows of vaults, deepest ${Math.max(...reports.map(({ deepest }) => deepest))}, ` +
    `${sum(({ answers }) => answers)} answers, ${sum(({ catchingUp }) => catchingUp)} of them 503, ${sum(({ unchanged }) => unchanged)} of them 304`,
)
print(`synced again after p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, at most ${at(1)} ms`)

async function runWorld(rounds: number, seed: number): Promise<ReorgReport> {
  const postgres = await startTemporaryPostgres()
  let product: TestProduct | undefined
  try {
    await migrate(postgres.url)
    product = await startTestProduct({ databaseUrl: postgres.url, withVaults: true })
    return await runReorgRounds({ product, rounds, seed, print })
  } finally {
    await product?.stop()
    await postgres.stop()
  }
}
