import { runDoctor } from './doctor/runDoctor.ts'

/** Checks a production configuration from end to end: `npm run doctor -- --help`. */
process.exitCode = await runDoctor(process.argv.slice(2), process)
