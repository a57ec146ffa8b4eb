import { systemPostgres } from '../support/systemPostgres.ts'
import { runRestoreDrill } from './restoreDrill.ts'

/** Backup, loss of everything, restore: `npm run drill -- [seconds of traffic] [seed]`. */
const seconds = Number(process.argv[2] ?? 60)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000)
const print = (line: string) => process.stdout.write(`${line}\n`)

const binaries = systemPostgres()
if (!binaries) throw new Error("no pg_dump: install Debian's package postgresql")
print(`three times ${seconds} s of traffic, seed ${seed}`)
const report = await runRestoreDrill({ binaries, seconds, seed, print })
print(JSON.stringify(report, null, 2))
