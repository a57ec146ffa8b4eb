import { resolve } from 'node:path'
import { migrate } from '../../db/migrate.ts'
import type { EmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { type AddressBook, loadAddressBook } from '../../domain/addressBook/addressBook.ts'
import { type ChainUrls, loadChainUrls } from '../environment.ts'
import { forgetIndex } from './indexReset.ts'
import { type LocalNodes, localNodePorts, startLocalNodes } from './localNodes.ts'
import { startLocalPostgres } from './localPostgres.ts'
import { nodeVariables } from './plan.ts'
import { assertPortsFree, type WantedPort } from './ports.ts'
import type { ProductOptions } from './productOptions.ts'
import type { Secrets } from './secrets.ts'
import type { Steps } from './steps.ts'

/** What our processes stand on: a database, nodes, and what is on them; local or given. */
export type Surroundings = {
  databaseUrl: string
  addressBook: AddressBook
  addressBookPath: string
  /** RPC_URL_<chainId> and WS_URL_<chainId>. */
  variables: Record<string, string>
  chainUrls: Map<number, ChainUrls>
  /** Null where the environment names real ones. */
  postgres: EmbeddedPostgres | null
  nodes: LocalNodes | null
}

type Start = {
  options: ProductOptions
  secrets: Secrets
  steps: Steps
  /** What was started is added, so that it is stopped also when the rest fails. */
  parts: { stop(): Promise<void> }[]
}

/** Starts what the environment does not name. Throws the errors of its parts, `PortTakenError` first. */
export async function startSurroundings(start: Start): Promise<Surroundings> {
  const { options, steps } = start
  const isLocal = Object.keys(nodeVariables(options.source)).length === 0
  const given = isLocal ? null : await loadGiven(options)
  await assertPortsFree(wantedPorts(options, isLocal))

  const [postgres, nodes] = await startBoth(start, isLocal)
  const databaseUrl = options.environment.DATABASE_URL ?? postgres?.url ?? ''
  const chains = given ?? nodes
  if (!chains) throw new Error('Invariant(startSurroundings): nodes are given or local')
  const { addressBook, addressBookPath, variables } = chains
  const chainUrls = urlsOf(addressBook, variables)

  await steps.step('database', () => migrate(databaseUrl))
  if (nodes?.mayHaveLostBlocks)
    await steps.step('index forgotten after a kill', () => forgetIndex(databaseUrl))
  return { databaseUrl, addressBook, addressBookPath, variables, chainUrls, postgres, nodes }
}

/** Read before anything starts: what is wrong with it is told at once. */
async function loadGiven({ environment, source }: ProductOptions) {
  // Our processes run in the project's root, wherever this one was started.
  const addressBookPath = resolve(environment.ADDRESS_BOOK ?? '')
  const addressBook = await loadAddressBook(addressBookPath)
  const variables = nodeVariables(source)
  urlsOf(addressBook, variables)
  return { addressBook, addressBookPath, variables }
}

function urlsOf(addressBook: AddressBook, variables: Record<string, string>) {
  return loadChainUrls(
    addressBook.chains.map(({ id }) => id),
    variables,
  )
}

async function startBoth(
  { options, secrets, steps, parts }: Start,
  isLocal: boolean,
): Promise<[EmbeddedPostgres | null, LocalNodes | null]> {
  const { dataDirectory, environment } = options
  const keep = <Started extends { stop(): Promise<void> }>(part: Started): Started => {
    parts.push(part)
    return part
  }
  const startPostgres = () =>
    steps.step('Postgres', () =>
      startLocalPostgres({
        dataDirectory,
        port: environment.POSTGRES_PORT,
        password: secrets.postgresPassword,
      }),
    )
  const postgres = environment.DATABASE_URL ? null : startPostgres().then(keep)
  const nodes = isLocal
    ? startLocalNodes({ dataDirectory, basePort: environment.ANVIL_BASE_PORT, steps }).then(keep)
    : null
  // Both to their end, so that a failure of one leaves nothing of the other behind.
  await Promise.allSettled([postgres, nodes])
  return [await postgres, await nodes]
}

function wantedPorts({ environment }: ProductOptions, isLocal: boolean): WantedPort[] {
  const { API_HOST, API_PORT, POSTGRES_PORT, ANVIL_BASE_PORT, DATABASE_URL } = environment
  const attestations = { port: environment.ATTESTATION_PORT, variable: 'ATTESTATION_PORT' }
  return [
    { port: API_PORT, variable: 'API_PORT', host: API_HOST },
    ...(DATABASE_URL
      ? []
      : [{ port: POSTGRES_PORT, variable: 'POSTGRES_PORT', host: '127.0.0.1' }]),
    ...(isLocal
      ? [...localNodePorts(ANVIL_BASE_PORT), { ...attestations, host: '127.0.0.1' }]
      : []),
  ]
}
