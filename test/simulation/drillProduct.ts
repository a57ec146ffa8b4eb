import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../../db/sql.ts'
import { startAttestationServer } from '../../devnet/attestations.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { startTestWorld } from '../support/anvils.ts'
import { type ApiProcess, startApiProcess, untilReady } from '../support/apiProcess.ts'
import {
  asRole,
  createDatabaseStatements,
  createRoleStatements,
  runStatements,
} from '../support/databaseRole.ts'
import { documentedCommand } from '../support/documentedCommand.ts'
import { freePorts } from '../support/freePorts.ts'
import { startTestIndexer } from '../support/indexer.ts'
import { startTemporaryPostgres } from '../support/temporaryPostgres.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'
import { keeperBook } from './keeperBook.ts'
import { KEEPER_FINALITY, untilMining } from './keeperCrashRounds.ts'
import { CHAIN_ID } from './keeperTraffic.ts'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '..', '..')
const CAUSEWAY = 'causeway'

/** One Postgres and all processes on it. */
export type Machine = {
  databaseUrl: string
  api: ApiProcess
  /** Kills every process and deletes the Postgres with its files. */
  lose(): Promise<void>
  output(): string
}

export type DrillSurroundings = {
  world: World
  folder: string
  /** Runs a command of the page on a database, as an operator would. */
  shell(command: string, databaseUrl: string): Promise<string>
  /** Runs the command of docs/operating/backup.md that begins so. */
  documented(beginning: string, databaseUrl: string): Promise<string>
  /** An empty Postgres with the roles and the database that the documentation asks for. */
  startPostgres(): Promise<{ databaseUrl: string; stop(): Promise<void> }>
  startProcesses(postgres: { databaseUrl: string; stop(): Promise<void> }): Promise<Machine>
}

/** The parts that survive the loss: the chain, the secrets, the backups, and the way to start everything. */
export async function startDrillSurroundings(
  binaries: string,
  started: AsyncDisposableStack,
): Promise<DrillSurroundings> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-drill-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const local = await startTestWorld([CHAIN_ID], { withVaults: true, blockTimeSeconds: 1 })
  started.defer(local.stop)
  const { world } = local
  const [port = 0, apiPort = 0] = await freePorts(2)
  const apiKey = 'drill'
  const attester = await startAttestationServer({ world, port, apiKey })
  started.defer(attester.stop)
  // A snapshot has only what is deeper than this.
  await worldClient(world, CHAIN_ID).mine({ blocks: 70 })
  await untilMining(world)
  // In DEVELOPMENT the indexer caches nothing.
  const addressBook = {
    ...keeperBook(local.addressBook, KEEPER_FINALITY),
    environment: 'STAGING' as const,
  }
  const appSecret = randomBytes(32).toString('hex')
  const variables = {
    SECRETS_KEY: randomBytes(32).toString('hex'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ATTESTATION_URL: `${attester.url}/v2/attestation`,
    ATTESTATION_API_KEY: apiKey,
  }

  async function shell(command: string, databaseUrl: string) {
    const env = {
      PATH: `${binaries}:${process.env.PATH}`,
      DATABASE_URL: databaseUrl,
      APP_SECRET: appSecret,
      RPC_URL_1: world.rpcUrls[CHAIN_ID],
      ...variables,
    }
    const here = command
      .replaceAll('causeway.dump', join(folder, 'causeway.dump'))
      .replaceAll('snapshot-1', join(folder, 'snapshot-1'))
      .replaceAll('npm run', 'npm run --silent')
    const { stdout } = await run('bash', ['-ec', here], { cwd: ROOT, env })
    return stdout
  }

  return {
    world,
    folder,
    shell,
    documented: async (beginning, databaseUrl) =>
      shell(await documentedCommand(beginning), databaseUrl),
    async startPostgres() {
      const postgres = await startTemporaryPostgres({ binaries })
      let isLost = false
      const stop = async () => {
        if (!isLost) await postgres.stop()
        isLost = true
      }
      started.defer(stop)
      await runStatements(postgres.url, createRoleStatements())
      await runStatements(postgres.url, createDatabaseStatements(CAUSEWAY))
      const databaseUrl = new URL(CAUSEWAY, asRole(postgres.url)).href
      return { databaseUrl, stop }
    },
    async startProcesses({ databaseUrl, stop }) {
      const indexer = await startTestIndexer({
        databaseUrl,
        addressBook,
        chainIds: [CHAIN_ID],
        rpcUrls: world.rpcUrls,
        wsUrls: local.wsUrls,
      })
      const options = {
        databaseUrl,
        addressBook: indexer.addressBook,
        appSecret,
        rpcUrls: world.rpcUrls,
        variables,
      }
      const worker = startWorkerProcess(options)
      const api = await startApiProcess({ ...options, port: apiPort })
      const lose = async () => {
        await Promise.all([indexer.kill(), worker.kill(), api.kill()])
        await stop()
      }
      started.defer(lose)
      const output = () => `${indexer.output()}\n${worker.output()}\n${api.output()}`
      await untilReady(api)
      return { databaseUrl, api, lose, output }
    },
  }
}

/** Runs with a connection of the database's owner. */
export async function withSql<Result>(
  databaseUrl: string,
  act: (sql: ReturnType<typeof connect>) => Promise<Result>,
): Promise<Result> {
  const sql = connect(databaseUrl, { applicationName: 'drill', max: 2 })
  return act(sql).finally(() => sql.end())
}
