import { migrate } from '../../db/migrate.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { runKeeperCrashRounds } from './keeperCrashRounds.ts'

/** The long form of the keeper's crashes: `node test/simulation/runKeeperCrashes.ts [kills] [seed]`. */
const kills = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
try {
  print(`${kills} kills, seed ${seed}`)
  await migrate(postgres.url)
  const report = await runKeeperCrashRounds({ databaseUrl: postgres.url, kills, seed, print })
  print(JSON.stringify(report))
} finally {
  await postgres.stop()
}
