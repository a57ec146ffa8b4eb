import { runAdmin } from './admin/runAdmin.ts'

/** Organizations, their API keys and webhooks, the index, and the audit log: `npm run admin -- --help`. */
process.exitCode = await runAdmin(process.argv.slice(2), process)
