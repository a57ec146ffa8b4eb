import { runTrafficCommand } from './traffic/runTrafficCommand.ts'

/** `npm run traffic`: places random orders on the running local world until Ctrl-C. */
for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => process.exit(0))
process.exitCode = await runTrafficCommand(process.argv.slice(2), process)
