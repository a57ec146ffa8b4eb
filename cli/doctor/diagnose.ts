import { connect } from '../../db/sql.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { readChainUrls } from '../../processes/configuration/chainUrls.ts'
import { loadGivenBook } from '../../processes/configuration/givenBook.ts'
import { withSecretFiles } from '../../processes/configuration/secretFiles.ts'
import { findGivenDatabase } from '../../processes/configuration/serviceConfiguration.ts'
import { checkBook } from './checkBook.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkEgress } from './checkEgress.ts'
import { checkIndex } from './checkIndex.ts'
import { checkKeeper } from './checkKeeper.ts'
import { checkMachine } from './checkMachine.ts'
import { checkNodes } from './checkNodes.ts'
import { checkSecrets } from './checkSecrets.ts'
import { checkSigner } from './checkSigner.ts'
import { checkVariables } from './checkVariables.ts'
import type { DoctorContext } from './doctorContext.ts'
import type { Line } from './line.ts'

const READ_TIMEOUT_MS = 10_000
const MIN_FREE_BYTES = 10 * 1024 ** 3

const CHECKS = [
  checkVariables,
  checkMachine,
  checkDatabase,
  checkSecrets,
  checkIndex,
  checkNodes,
  checkBook,
  checkSigner,
  checkKeeper,
  checkEgress,
]

type Measures = Partial<Pick<DoctorContext, 'now' | 'minFreeBytes'>>

/** Every check of a configuration, in the order in which an operator mends. Writes nothing anywhere. */
export async function diagnose(
  given: NodeJS.ProcessEnv,
  { now = Date.now, minFreeBytes = MIN_FREE_BYTES }: Measures = {},
): Promise<Line[]> {
  // `checkVariables` reports a file that cannot be read.
  const source = await withSecretFiles(given, async (resolved) => resolved).catch(() => given)
  const [book, urls] = await Promise.all([
    // `checkVariables` reports what is wrong with either.
    source.ADDRESS_BOOK ? loadGivenBook(source.ADDRESS_BOOK).catch(() => null) : null,
    findGivenDatabase(source).catch(() => null),
  ])
  const chainUrls = validUrls(readChainUrls(book?.chains.map(({ id }) => id) ?? [], source))
  const endpoints = [...chainUrls].map(([chainId, { rpcUrls }]) => ({ chainId, rpcUrls }))
  const sql = urls && connect(urls.databaseUrl, { applicationName: 'causeway-doctor', max: 2 })
  const context: DoctorContext = {
    given,
    source,
    book,
    chainUrls,
    chains: book && createChainClients(endpoints, book, { readTimeoutMs: READ_TIMEOUT_MS }),
    sql,
    now,
    minFreeBytes,
  }
  try {
    const found = await Promise.all(CHECKS.map((check) => check(context)))
    return found.flat()
  } finally {
    await sql?.end({ timeout: 2 })
  }
}

/** Without those that are no URLs, which `checkVariables` reports. */
function validUrls(given: ReturnType<typeof readChainUrls>): ReturnType<typeof readChainUrls> {
  const valid = (urls: string[]) => urls.filter((url) => URL.canParse(url))
  return new Map(
    [...given].map(([id, { rpcUrls, wsUrls }]) => [
      id,
      { rpcUrls: valid(rpcUrls), wsUrls: valid(wsUrls) },
    ]),
  )
}
