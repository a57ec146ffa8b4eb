import { migrate } from '../../db/migrate.ts'
import { createTestIndex } from './createTestIndex.ts'
import {
  asRole,
  createDatabaseStatements,
  createRoleStatement,
  runStatements,
} from './databaseRole.ts'
import { INDEX_TEMPLATE_DATABASE, TEMPLATE_DATABASE, withDatabase } from './postgres.ts'

/** Creates the role of all tests and the databases that they clone. Returns the server's URL for the role. */
export async function createTemplates(superuserUrl: string): Promise<string> {
  const url = asRole(superuserUrl)
  const run = (statements: string[]) => runStatements(superuserUrl, statements)
  await run([createRoleStatement(), ...createDatabaseStatements(TEMPLATE_DATABASE)])
  await migrate(withDatabase(url, TEMPLATE_DATABASE))
  await run(createDatabaseStatements(INDEX_TEMPLATE_DATABASE, TEMPLATE_DATABASE))
  await createTestIndex(withDatabase(url, INDEX_TEMPLATE_DATABASE))
  return url
}
