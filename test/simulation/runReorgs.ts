import { migrate } from '../../db/migrate.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { runReorgRounds } from './reorgRounds.ts'

/** The reorganisations in full: `node test/simulation/runReorgs.ts [rounds] [seed]`. */
const rounds = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
let product: TestProduct | undefined
try {
  print(`${rounds} rounds, seed ${seed}`)
  await migrate(postgres.url)
  product = await startTestProduct({ databaseUrl: postgres.url })
  const { world, url: apiUrl } = product
  const options = { world, apiUrl, databaseUrl: postgres.url, rounds, seed, print }
  const { healedMs, ...report } = await runReorgRounds(options)
  const sorted = healedMs.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
  print(JSON.stringify(report))
  print(`level again after p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, at most ${at(1)} ms`)
} finally {
  await product?.stop()
  await postgres.stop()
}
