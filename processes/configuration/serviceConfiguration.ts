import type { LocalAccount } from 'viem'
import type { z } from 'zod'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import {
  apiVariables,
  indexerVariables,
  loadEnvironment,
  loadValid,
  workerVariables,
} from '../environment.ts'
import { findDatabase } from './answeringDatabase.ts'
import { loadChainUrls, readChainUrls, refuseBadUrls } from './chainUrls.ts'
import { checkConsole } from './checkConsole.ts'
import { checkProduction } from './checkProduction.ts'
import { checkRetention } from './checkRetention.ts'
import { checkSecrets } from './checkSecrets.ts'
import { checkVerified } from './checkVerified.ts'
import { EnvironmentError, problemsOf, together } from './environmentError.ts'
import { assertChainsKnown, loadGivenBook } from './givenBook.ts'
import { assertNodesOfChains } from './nodesOfChains.ts'
import { assertPortsFree, type WantedPort, wantedPort } from './ports.ts'
import { withSecretFiles } from './secretFiles.ts'

/**
 * The configurations of the processes, checked before they start. Each part reads its own variables, so that a
 * problem of one part hides no problem of another. All throw `EnvironmentError` with every problem.
 */

export async function loadApiConfiguration(given: NodeJS.ProcessEnv) {
  return withSecretFiles(given, loadApi)
}

async function loadApi(source: NodeJS.ProcessEnv) {
  const [configuration] = await together([readApi(source), assertPortsFree(apiPorts(source))])
  return configuration
}

/** With all of viem, which takes a quarter of the start of an indexer that has no signer. */
const signers = () => import('./loadSigner.ts')

async function readApi(
  source: NodeJS.ProcessEnv,
  loadSigner = async () => (await signers()).loadQuoteSigner(source),
) {
  const [environment, urls, chains, quoteSigner] = await together([
    read(apiVariables, source),
    findGivenDatabase(source),
    loadGivenChains(source),
    loadSigner(),
    checkProviders(source),
    checkConsole(source),
    checkSecrets(source),
    loadBook(source).then((book) => checkProduction(book, source)),
    checkVerified(source),
  ])
  return { environment, ...urls, ...chains, quoteSigner }
}

export async function loadWorkerConfiguration(given: NodeJS.ProcessEnv) {
  return withSecretFiles(given, loadWorker)
}

async function loadWorker(source: NodeJS.ProcessEnv) {
  const [configuration] = await together([readWorker(source), assertPortsFree(workerPorts(source))])
  return configuration
}

async function readWorker(
  source: NodeJS.ProcessEnv,
  loadAccounts = async () => (await signers()).loadKeepers(source),
) {
  const [environment, urls, chains, keepers] = await together([
    read(workerVariables, source),
    findGivenDatabase(source),
    loadGivenChains(source),
    loadAccounts(),
    checkProviders(source),
    checkSecrets(source),
    checkRetention(source),
    checkVerified(source),
  ])
  return { environment, ...urls, ...chains, keepers }
}

export async function loadIndexerConfiguration(given: NodeJS.ProcessEnv) {
  return withSecretFiles(given, loadIndexer)
}

async function loadIndexer(source: NodeJS.ProcessEnv) {
  const book = loadBook(source)
  const chainIds = read(indexerVariables.pick({ INDEX_CHAINS: true }), source).then(
    ({ INDEX_CHAINS }) => INDEX_CHAINS,
  )
  const [environment, urls, addressBook, chainUrls] = await together([
    read(indexerVariables, source),
    findGivenDatabase(source),
    book,
    chainIds.then((ids) => loadNodes(ids, source)),
    Promise.all([book, chainIds]).then(([found, ids]) =>
      assertChainsKnown('INDEX_CHAINS', ids, found.chains),
    ),
    checkVerified(source),
    assertPortsFree(indexerPorts(source)),
    refuseBadUrls(source),
  ])
  return { environment, ...urls, addressBook, chainUrls }
}

/** Load the accounts of a configuration; null or none if none is set. Throw `EnvironmentError`. */
export type GivenAccounts = {
  quoteSigner: () => Promise<LocalAccount | null>
  keepers: () => Promise<LocalAccount[]>
}

/**
 * Every problem of the variables of indexer, api and worker. Ports are left out: the processes may be running.
 */
export async function findServiceProblems(
  given: NodeJS.ProcessEnv,
  { quoteSigner, keepers }: GivenAccounts,
): Promise<string[]> {
  return problemsOf(
    withSecretFiles(given, (source) =>
      together([
        readApi(source, quoteSigner),
        readWorker(source, keepers),
        read(indexerVariables.partial({ INDEX_CHAINS: true }), source),
      ]),
    ),
  )
}

/** The address book, and the URLs of the nodes of all of its chains. */
export async function loadGivenChains(source: NodeJS.ProcessEnv) {
  const book = loadBook(source)
  const [addressBook, chainUrls] = await together([
    book,
    book.then(({ chains }) =>
      loadNodes(
        chains.map(({ id }) => id),
        source,
      ),
    ),
    refuseBadUrls(source),
  ])
  return { addressBook, chainUrls }
}

/** Asynchronous, so that a problem is a part's rejection. */
export async function read<Variables extends z.ZodObject>(
  variables: Variables,
  source: NodeJS.ProcessEnv,
): Promise<z.output<Variables>> {
  return loadEnvironment(variables, source)
}

async function loadBook(source: NodeJS.ProcessEnv): Promise<AddressBook> {
  const { ADDRESS_BOOK } = await read(apiVariables.pick({ ADDRESS_BOOK: true }), source)
  return loadGivenBook(ADDRESS_BOOK)
}

async function loadNodes(chainIds: number[], source: NodeJS.ProcessEnv) {
  const [chainUrls] = await together([
    (async () => loadChainUrls(chainIds, source))(),
    assertNodesOfChains(readChainUrls(chainIds, source)),
  ])
  return chainUrls
}

/** Finds the database of DATABASE_URL and DATABASE_DIRECT_URL, or of their files. */
export async function findGivenDatabase(given: NodeJS.ProcessEnv) {
  const variables = apiVariables.pick({ DATABASE_URL: true, DATABASE_DIRECT_URL: true })
  return withSecretFiles(given, async (source) => findDatabase(await read(variables, source)))
}

/** Refuses the key of an outside provider without its URL. */
export async function checkProviders(source: NodeJS.ProcessEnv) {
  const problems = ['ATTESTATION', 'PAYER_SCREENING'].flatMap((name) =>
    source[`${name}_API_KEY`] && !source[`${name}_URL`]
      ? [`${name}_URL: is not set, but ${name}_API_KEY is. Set both, or neither.`]
      : [],
  )
  if (problems.length > 0) throw new EnvironmentError(problems)
}

function apiPorts(source: NodeJS.ProcessEnv): WantedPort[] {
  const given = loadValid(apiVariables, source)
  return [
    ...wantedPort(given, 'API_PORT', 'API_HOST'),
    ...wantedPort(given, 'METRICS_PORT', 'METRICS_HOST'),
  ]
}

function indexerPorts(source: NodeJS.ProcessEnv): WantedPort[] {
  return wantedPort(loadValid(indexerVariables, source), 'INDEXER_METRICS_PORT', 'METRICS_HOST')
}

function workerPorts(source: NodeJS.ProcessEnv): WantedPort[] {
  return wantedPort(loadValid(workerVariables, source), 'WORKER_METRICS_PORT', 'METRICS_HOST')
}
