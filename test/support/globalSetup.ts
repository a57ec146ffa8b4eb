import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { compileWorld } from '../../devnet/deployWorld.ts'
import { listProcesses } from '../../devnet/processTable.ts'
import { createTemplates } from './createTemplates.ts'
import { startTemporaryPostgres } from './temporaryPostgres.ts'

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: vitest merges this interface
  export interface ProvidedContext {
    /** The URL of the role that owns nothing but what it creates, as in production. */
    postgresUrl: string
    superuserUrl: string
    /** The folder of the run's dumped chains, and of its packed SDK. */
    worldsFolder: string
  }
}

/**
 * Starts what the test files of a project share: one real Postgres with a migrated template, and a
 * folder for the dumps of the local world. Compiles the contracts, which takes long the first time.
 */
export default async function setup(project: TestProject) {
  await using started = new AsyncDisposableStack()
  const postgres = await startTemporaryPostgres()
  started.defer(postgres.stop)
  const postgresUrl = await createTemplates(postgres.url)
  // Two files that unpack the browser at once would each start half of it.
  await Promise.all([compileWorld(), sparticuz.executablePath()])
  const worldsFolder = await mkdtemp(join(tmpdir(), 'causeway-worlds-'))
  started.defer(() => rm(worldsFolder, { recursive: true, force: true }))
  project.provide('postgresUrl', postgresUrl)
  project.provide('superuserUrl', postgres.url)
  project.provide('worldsFolder', worldsFolder)
  const running = started.move()
  return async () => {
    await using _ = running
    const left = [...(await databasesLeft(postgres.url)), ...(await nodesLeft(worldsFolder))]
    if (left.length > 0) throw new Error(`Tests left these behind:\n${left.join('\n')}`)
  }
}

/** The databases that a test file did not drop. */
async function databasesLeft(postgresUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname like 'test\\_%'`,
  )
  await client.end()
  return rows.map(({ name }) => `the database ${name}`)
}

/** The nodes of the local world that a test file did not stop. */
async function nodesLeft(worldsFolder: string): Promise<string[]> {
  const processes = await listProcesses()
  return processes
    .filter(({ command }) => command.includes(worldsFolder))
    .map(({ pid, command }) => `the node ${pid}: ${command}`)
}
