import { connect } from '../../db/sql.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { readChainUrls } from '../../processes/configuration/chainUrls.ts'
import { loadGivenBook } from '../../processes/configuration/givenBook.ts'
import { loadKeepers, loadQuoteSigner } from '../../processes/configuration/loadSigner.ts'
import { withSecretFiles } from '../../processes/configuration/secretFiles.ts'
import { findGivenDatabase } from '../../processes/configuration/serviceConfiguration.ts'
import { checkBook } from './checkBook.ts'
import { checkDatabase } from './checkDatabase.ts'
import { checkEgress } from './checkEgress.ts'
import { checkIndex } from './checkIndex.ts'
import { checkKeeper } from './checkKeeper.ts'
import { checkMachine } from './checkMachine.ts'
import { checkNodes } from './checkNodes.ts'
import { checkSigner } from './checkSigner.ts'
import { checkStoredSecrets } from './checkStoredSecrets.ts'
import { checkVariables } from './checkVariables.ts'
import type { DoctorContext } from './doctorContext.ts'
import type { Line } from './line.ts'
import { notChecked } from './notChecked.ts'
import { unlessWrong } from './unlessWrong.ts'

const READ_TIMEOUT_MS = 10_000
const MIN_FREE_BYTES = 10 * 1024 ** 3

const CHECKS: [name: string, check: (context: DoctorContext) => Promise<Line[]>][] = [
  ['variables', checkVariables],
  ['machine', checkMachine],
  ['database', checkDatabase],
  ['secrets', checkStoredSecrets],
  ['index', checkIndex],
  ['nodes', checkNodes],
  ['address book', checkBook],
  ['quote signer', checkSigner],
  ['keeper', checkKeeper],
  ['egress', checkEgress],
]

type Measures = Partial<Pick<DoctorContext, 'isLocal' | 'now' | 'minFreeBytes'>>

/** Every check of a configuration, in the order in which an operator mends. Writes nothing anywhere. A check that fails ends no other. */
export async function diagnose(
  given: NodeJS.ProcessEnv,
  { isLocal = false, now = Date.now, minFreeBytes = MIN_FREE_BYTES }: Measures = {},
): Promise<Line[]> {
  const source = (await unlessWrong(withSecretFiles(given, async (resolved) => resolved))) ?? given
  const [book = null, urls] = await Promise.all([
    source.ADDRESS_BOOK ? unlessWrong(loadGivenBook(source.ADDRESS_BOOK)) : null,
    unlessWrong(findGivenDatabase(source)),
  ])
  const chainUrls = validUrls(readChainUrls(book?.chains.map(({ id }) => id) ?? [], source))
  const endpoints = [...chainUrls].map(([chainId, { rpcUrls }]) => ({ chainId, rpcUrls }))
  const sql = urls
    ? connect(urls.databaseUrl, { applicationName: 'causeway-doctor', max: 2 })
    : null
  const context: DoctorContext = {
    given,
    source,
    book,
    chainUrls,
    chains: book && createChainClients(endpoints, book, { readTimeoutMs: READ_TIMEOUT_MS }),
    accounts: {
      quoteSigner: once(() => withSecretFiles(given, loadQuoteSigner)),
      keepers: once(() => withSecretFiles(given, loadKeepers)),
    },
    sql,
    isLocal,
    now,
    minFreeBytes,
  }
  try {
    const found = await Promise.all(
      CHECKS.map(([name, check]) => check(context).catch((cause) => notChecked(name, cause))),
    )
    return found.flat()
  } finally {
    await sql?.end({ timeout: 2 })
  }
}

function once<Result>(load: () => Promise<Result>): () => Promise<Result> {
  let loading: Promise<Result> | undefined
  return () => {
    loading ??= load()
    return loading
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
