import { migrate } from '../../db/migrate.ts'
import { percentile } from '../support/percentile.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { runCrashRounds } from './crashRounds.ts'

/** The long form of the crashes: `node test/simulation/runCrashes.ts [kills] [seed]`. */
const kills = Number(process.argv[2] ?? 20)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const P90_MS = 5_000
const MOST_MS = 10_000
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
try {
  print(`${kills} kills, seed ${seed}`)
  await migrate(postgres.url)
  const { backMs, ...report } = await runCrashRounds({
    databaseUrl: postgres.url,
    kills,
    seed,
    print,
  })
  const at = (share: number) => Math.round(percentile(backMs, share))
  print(JSON.stringify(report))
  print(`back after p50 ${at(0.5)} ms, p90 ${at(0.9)} ms, at most ${at(1)} ms`)
  if (at(0.9) > P90_MS || at(1) > MOST_MS) process.exitCode = 1
} finally {
  await postgres.stop()
}
