import { PROCESS_ROLES } from '../../db/grantRights.ts'
import { migrate } from '../../db/migrate.ts'
import { createTestIndex } from './createTestIndex.ts'
import {
  asRole,
  createDatabaseStatements,
  createRoleStatements,
  runStatements,
} from './databaseRole.ts'
import { INDEX_TEMPLATE_DATABASE, TEMPLATE_DATABASE, withDatabase } from './postgres.ts'
import { BUILD } from './testIndex.ts'

/** Creates the role of all tests and the databases that they clone. Returns the server's URL for the role. */
export async function createTemplates(superuserUrl: string): Promise<string> {
  const url = asRole(superuserUrl)
  const run = (statements: string[]) => runStatements(superuserUrl, statements)
  await run([...createRoleStatements(), ...createDatabaseStatements(TEMPLATE_DATABASE)])
  await migrate(withDatabase(url, TEMPLATE_DATABASE))
  await run(createDatabaseStatements(INDEX_TEMPLATE_DATABASE, TEMPLATE_DATABASE))
  const indexed = withDatabase(url, INDEX_TEMPLATE_DATABASE)
  await createTestIndex(indexed)
  // The owner made this build, so its rights do not come from the indexer's role.
  await runStatements(indexed, [
    `grant usage on schema ${BUILD} to ${PROCESS_ROLES}`,
    `grant select on all tables in schema ${BUILD} to ${PROCESS_ROLES}`,
    // A lock of a view needs its owner's right to lock the tables.
    `grant update on all tables in schema ${BUILD} to causeway_indexer`,
  ])
  await migrate(indexed)
  return url
}
