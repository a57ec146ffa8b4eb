import { resolve } from 'node:path'
import { migrate } from '../../db/migrate.ts'
import type { EmbeddedPostgres } from '../../devnet/embeddedPostgres.ts'
import { type AddressBook, loadAddressBook } from '../../domain/addressBook/addressBook.ts'
import { withDatabase } from '../configuration/answeringDatabase.ts'
import { type ChainUrls, loadChainUrls } from '../configuration/chainUrls.ts'
import { assertPortsFree } from '../configuration/ports.ts'
import { forgetIndex } from './forgetIndex.ts'
import { type StartedForks, startForks } from './forks.ts'
import { type LocalNodes, startLocalNodes } from './localNodes.ts'
import { startLocalPostgres } from './localPostgres.ts'
import { nodeVariables } from './plan.ts'
import type { ProductOptions } from './productOptions.ts'
import type { Secrets } from './secrets.ts'
import type { Steps } from './steps.ts'
import { wantedPorts } from './wantedPorts.ts'

/** The database, nodes and address book of our processes; local or from the environment. */
export type BackingServices = {
  /** DATABASE_DIRECT_URL, if it is set. */
  databaseUrl: string
  addressBook: AddressBook
  addressBookPath: string
  /** RPC_URL_<chainId> and WS_URL_<chainId>. */
  variables: Record<string, string>
  chainUrls: Map<number, ChainUrls>
  /** Null if DATABASE_URL is set. */
  postgres: EmbeddedPostgres | null
  /** Null if RPC_URL_<chainId> is set. */
  nodes: LocalNodes | null
  /** Null without `--fork`. */
  forks: StartedForks | null
}

type Start = {
  options: ProductOptions
  secrets: Secrets
  steps: Steps
  /** Each started part is added, so that it is stopped even if a later one fails. */
  parts: { stop(): Promise<void> }[]
}

/** Starts the services that the environment does not name. Throws `EnvironmentError` for a taken port, or the error of a service. */
export async function startBackingServices(start: Start): Promise<BackingServices> {
  const { options, steps, parts } = start
  const { print } = options
  const isLocal = Object.keys(nodeVariables(options.source)).length === 0
  const given = isLocal ? null : await loadGiven(options)
  await assertPortsFree(wantedPorts(options.environment, isLocal))

  const [postgres, nodes] = await startBoth(start, isLocal)
  const forks =
    options.forks.length > 0
      ? await startForks(options.forks, { dataDirectory: options.dataDirectory, steps })
      : null
  if (forks) parts.push(forks)
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: directUrl = url } = options.environment
  const databaseUrl = directUrl ?? postgres?.url ?? ''
  const chains = given ?? nodes
  if (!chains) throw new Error('Invariant(startBackingServices): nodes are given or local')
  const { addressBook, addressBookPath, variables } = chains
  const chainUrls = urlsOf(addressBook, variables)

  await steps.step('database migrated', () => withDatabase(databaseUrl, () => migrate(databaseUrl)))
  const lost = forks ? 'a fork begins anew' : 'the nodes may have lost blocks'
  if ((forks || nodes?.mayHaveLostBlocks) && (await forgetIndex(databaseUrl)))
    print(`           index deleted, because ${lost}: it is made again`)
  return { databaseUrl, addressBook, addressBookPath, variables, chainUrls, postgres, nodes, forks }
}

/** Reads the configuration before anything starts, so that its errors are shown at once. */
async function loadGiven({ environment, source }: ProductOptions) {
  // The child processes run in the project's root, and this one may run elsewhere.
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
    steps.step('Postgres started', () =>
      startLocalPostgres({
        dataDirectory,
        port: environment.POSTGRES_PORT,
        password: secrets.postgresPassword,
      }),
    )
  const postgres = environment.DATABASE_URL ? null : startPostgres().then(keep)
  const nodes = isLocal
    ? startLocalNodes({
        dataDirectory,
        basePort: environment.ANVIL_BASE_PORT,
        steps,
        print: options.print,
      }).then(keep)
    : null
  // Waits for both, so that a part that started can be stopped if the other one failed.
  await Promise.allSettled([postgres, nodes])
  return [await postgres, await nodes]
}
