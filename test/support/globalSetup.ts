import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../db/migrate.ts'
import { TEMPLATE_DATABASE, withDatabase } from './postgres.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest merges this interface
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** One real Postgres for the whole run; each test file clones the migrated template. */
export default async function setup(project: TestProject) {
  const postgres = await startTemporaryPostgres()
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE}`)
  await client.end()
  await migrate(withDatabase(postgres.url, TEMPLATE_DATABASE))
  project.provide('postgresUrl', postgres.url)
  return postgres.stop
}
