import { migrate } from '../../db/migrate.ts'
import { startTestProduct, type TestProduct } from '../support/product.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { runExactOutput } from './exactOutputRounds.ts'

/** Random quotes by what is wanted, paid out: `npm run simulate:exact-output -- [quotes] [seed]`. */
const quotes = Number(process.argv[2] ?? 10_000)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
let product: TestProduct | undefined
try {
  print(`${quotes} quotes, seed ${seed}`)
  await migrate(postgres.url)
  product = await startTestProduct({ databaseUrl: postgres.url })
  const { world, url: apiUrl } = product
  const { paid, belowMinimum, mostPaidBeyond } = await runExactOutput({
    world,
    apiUrl,
    quotes,
    seed,
    print,
  })
  print(
    `${paid} receivers got what was wanted, each for the least offer; at most ${mostPaidBeyond} base units beyond it; ` +
      `${belowMinimum} below the minimum were refused`,
  )
} finally {
  await product?.stop()
  await postgres.stop()
}
