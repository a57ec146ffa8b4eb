import { chmod, mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../db/migrate.ts'
import { startEmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { TEMPLATE_DATABASE, withDatabase } from './postgres.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest merges this interface
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** One real Postgres for the whole run; each test file clones the migrated template. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-test-'))
  await chmod(folder, 0o755)
  const postgres = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    port: await freePort(),
    password: 'test',
    isFast: true,
  })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query(`create database ${TEMPLATE_DATABASE}`)
  await client.end()
  await migrate(withDatabase(postgres.url, TEMPLATE_DATABASE))
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
