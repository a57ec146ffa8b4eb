import pg from 'pg'
import { migrate } from '../../db/migrate.ts'
import { createTestIndex } from './createTestIndex.ts'
import { asRole, createDatabaseStatements, createRoleStatement } from './databaseRole.ts'
import { INDEX_TEMPLATE_DATABASE, TEMPLATE_DATABASE, withDatabase } from './postgres.ts'

/** Creates the role of all tests and the databases that they clone. Returns the server's URL for the role. */
export async function createTemplates(superuserUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const url = asRole(superuserUrl)
  const run = async (statements: string[]) => {
    for (const statement of statements) await client.query(statement)
  }
  try {
    await run([createRoleStatement(), ...createDatabaseStatements(TEMPLATE_DATABASE)])
    await migrate(withDatabase(url, TEMPLATE_DATABASE))
    await run(createDatabaseStatements(INDEX_TEMPLATE_DATABASE, TEMPLATE_DATABASE))
  } finally {
    await client.end()
  }
  await createTestIndex(withDatabase(url, INDEX_TEMPLATE_DATABASE))
  return url
}
