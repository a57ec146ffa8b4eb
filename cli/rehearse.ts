import { runRehearse } from './rehearse/runRehearse.ts'

/** Tries an address book and its nodes, read-only: `npm run rehearse -- --help`. */
process.exitCode = await runRehearse(process.argv.slice(2), process)
