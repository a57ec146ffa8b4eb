import { migrate } from '../../db/migrate.ts'
import { createTestIndex } from '../support/createTestIndex.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { runRestartRounds } from './restartRounds.ts'

/** Rolling restarts under load, the long form: `npm run simulate:restarts -- [rounds]`. */
const rounds = Number(process.argv[2] ?? 20)
const print = (line: string) => process.stdout.write(`${line}\n`)

const postgres = await startTemporaryPostgres()
try {
  await migrate(postgres.url)
  await createTestIndex(postgres.url)
  const { answered, longPolls, failures } = await runRestartRounds({
    databaseUrl: postgres.url,
    rounds,
    print,
  })
  print(
    `${rounds} restarts: ${answered} answered, ${longPolls} long polls, ${failures.length} failed`,
  )
  for (const failure of failures.slice(0, 10)) print(failure)
  if (failures.length > 0) process.exitCode = 1
} finally {
  await postgres.stop()
}
