import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { migrate } from '../../db/migrate.ts'
import { connect } from '../../db/sql.ts'
import { startAttestationServer } from '../../devnet/attestations.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { keeperBook } from '../simulation/keeperBook.ts'
import { DEEPEST } from '../simulation/reorganiser.ts'
import { startTestWorld } from '../support/anvils.ts'
import { type ApiProcess, startApiProcess, untilAnswering } from '../support/apiProcess.ts'
import { giveKeyOf, keyOf } from '../support/ask.ts'
import { startBalancer } from '../support/balancer.ts'
import { type FaultyNode, startFaultyNode } from '../support/faultyNode.ts'
import { freePorts } from '../support/freePorts.ts'
import { startTestIndexer } from '../support/indexer.ts'
import { startWorkerProcess } from '../support/workerProcess.ts'
import { clockVariables } from './clock.ts'
import { type KillablePostgres, startKillablePostgres } from './killablePostgres.ts'
import { type Supervised, supervise } from './supervised.ts'

export const CHAOS_CHAINS = [1, 4663] as const
/** Deeper than any reorganisation and any read of an old block. */
const KEPT_STATES = 1_000
export type Indexer = Supervised<Awaited<ReturnType<typeof startTestIndexer>>>

/** The whole product as real processes; each is started again when it ends. */
export type Installation = {
  folder: string
  world: World
  addressBookFile: AddressBookFile
  sql: Sql
  postgres: KillablePostgres
  /** Two proxies before the node of each chain. */
  nodes: Map<number, [FaultyNode, FaultyNode]>
  indexer: Indexer
  apis: [Supervised<ApiProcess>, Supervised<ApiProcess>]
  workers: [Supervised, Supervised]
  /** The address before both apis. */
  url: string
  apiKey: string
  /** Starts an indexer of another version of the project beside the present one. */
  startNextIndexer(root: string): Promise<Indexer>
  stop(): Promise<void>
}

export type InstallationOptions = {
  folder: string
  /** That of Postgres. */
  dataDirectory: string
  chainIds?: readonly number[]
  /** The address book of the processes, from that of the local world. */
  bookOf?: (book: AddressBookFile) => AddressBookFile
}

/** Starts everything in a folder. */
export async function startInstallation({
  folder,
  dataDirectory,
  chainIds = CHAOS_CHAINS,
  bookOf = keeperBook,
}: InstallationOptions): Promise<Installation> {
  const started = new AsyncDisposableStack()
  const stop = () => started.disposeAsync()
  try {
    const postgres = await startKillablePostgres(dataDirectory)
    started.defer(postgres.server.stop)
    const databaseUrl = postgres.url
    await migrate(databaseUrl)
    const sql = connect(databaseUrl, { applicationName: 'chaos', max: 2 })
    started.defer(() => sql.end({ timeout: 2 }))

    const local = await startTestWorld([...chainIds], {
      withVaults: true,
      keptStates: KEPT_STATES,
    })
    started.defer(local.stop)
    const book = bookOf(local.addressBook)
    const world = { ...local.world, addressBook: parseAddressBook(book, 'the book of chaos') }
    // The contracts stay where no reorganisation reaches.
    for (const id of chainIds) await worldClient(world, id).mine({ blocks: DEEPEST + 1 })
    const nodes = await startNodes(world, local.wsUrls, started)
    const rpcUrls = urlsOf(nodes, 'rpcUrl')
    const addressBook = join(folder, 'address-book.json')
    await writeFile(addressBook, JSON.stringify(book))

    const [port = 0, ...apiPorts] = await freePorts(3)
    const balancer = await startBalancer(apiPorts)
    started.defer(async () => balancer.stop())
    const attester = await startAttestationServer({ world, port, apiKey: 'chaos' })
    started.defer(attester.stop)
    const appSecret = randomBytes(32).toString('hex')
    const common = {
      SECRETS_KEY: randomBytes(32).toString('hex'),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      ATTESTATION_URL: `${attester.url}/v2/attestation`,
      ATTESTATION_API_KEY: 'chaos',
    }
    const startIndexer = (root?: string) => {
      // Without the cache, which DEVELOPMENT lacks, each start reads the whole history.
      const cached = { ...book, environment: 'STAGING' as const }
      const of = { databaseUrl, addressBook: cached, chainIds: [...chainIds], rpcUrls, root }
      const wsUrls = urlsOf(nodes, 'wsUrl')
      return supervise(root ? 'next indexer' : 'indexer', (variables) =>
        startTestIndexer({ ...of, wsUrls, variables }),
      )
    }
    const service = { databaseUrl, addressBook, rpcUrls, appSecret }
    const startApi = (index: 0 | 1) =>
      supervise(`api ${index}`, (variables) =>
        startApiProcess({
          ...service,
          port: apiPorts[index] ?? 0,
          variables: { ...common, ...clockVariables(folder, `api ${index}`), ...variables },
        }),
      )
    const startWorker = (index: 0 | 1) =>
      supervise(`worker ${index}`, (variables) =>
        startWorkerProcess({
          ...service,
          variables: {
            ...common,
            LOG_LEVEL: 'warn',
            QUOTE_API_URL: balancer.url,
            ...clockVariables(folder, `worker ${index}`),
            ...variables,
          },
        }),
      )
    let indexer = await startIndexer()
    started.defer(() => indexer.stop())
    const apis: Installation['apis'] = [await startApi(0), await startApi(1)]
    for (const api of apis) started.defer(api.stop)
    const workers: Installation['workers'] = [await startWorker(0), await startWorker(1)]
    for (const worker of workers) started.defer(worker.stop)
    for (const api of apis)
      await untilAnswering(
        api.current().url,
        () => `${indexer.current().output()}\n${api.current().output()}`,
      )
    for (const url of [balancer.url, ...apis.map((api) => api.current().url)])
      await giveKeyOf(url, databaseUrl, appSecret)
    return {
      folder,
      world,
      addressBookFile: book,
      sql,
      postgres,
      nodes,
      get indexer() {
        return indexer
      },
      set indexer(next) {
        indexer = next
      },
      apis,
      workers,
      url: balancer.url,
      apiKey: keyOf(balancer.url) ?? '',
      startNextIndexer: startIndexer,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function startNodes(
  { rpcUrls }: World,
  wsUrls: Record<number, string>,
  started: AsyncDisposableStack,
): Promise<Installation['nodes']> {
  const of = (id: number) => ({ rpcUrl: rpcUrls[id] ?? '', wsUrl: wsUrls[id] ?? '' })
  const nodes: Installation['nodes'] = new Map()
  const chainIds = Object.keys(rpcUrls).map(Number)
  for (const id of chainIds) {
    const [other = 0] = chainIds.filter((candidate) => candidate !== id)
    const targets = { ...of(id), other: of(other) }
    const pair: [FaultyNode, FaultyNode] = [
      await startFaultyNode(targets),
      await startFaultyNode(targets),
    ]
    for (const node of pair) started.defer(node.stop)
    nodes.set(id, pair)
  }
  return nodes
}

function urlsOf(nodes: Installation['nodes'], kind: 'rpcUrl' | 'wsUrl'): Record<number, string> {
  return Object.fromEntries(
    [...nodes].map(([id, pair]) => [id, pair.map((node) => node[kind]).join()]),
  )
}

/** The output of every process, for a look at what went wrong. */
export async function keepOutput({ indexer, apis, workers, postgres }: Installation, name: string) {
  const folder = join(import.meta.dirname, '..', '..', '.causeway', 'chaos', name)
  await mkdir(folder, { recursive: true })
  const all = [indexer, ...apis, ...workers, postgres.server]
  for (const { name, current } of all)
    await writeFile(join(folder, `${name.replaceAll(' ', '-')}.log`), current().output())
}
