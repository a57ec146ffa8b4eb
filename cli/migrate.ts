import { migrate } from '../db/migrate.ts'
import { withDatabase } from '../processes/configuration/answeringDatabase.ts'
import { orExit } from '../processes/configuration/orExit.ts'
import { withSecretFiles } from '../processes/configuration/secretFiles.ts'
import { findGivenDatabase } from '../processes/configuration/serviceConfiguration.ts'

/** Brings the database of DATABASE_URL up to date and ends: `npm run migrate`. Processes that have the owner's role also do it when they start. */
const { directUrl } = await orExit(withSecretFiles(process.env, findGivenDatabase))
await orExit(withDatabase(directUrl, () => migrate(directUrl)))
process.stdout.write('The database is up to date.\n')
