import type { z } from 'zod'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import { refuseBadUrls } from '../configuration/chainUrls.ts'
import { checkVerified } from '../configuration/checkVerified.ts'
import { EnvironmentError, together } from '../configuration/environmentError.ts'
import { assertChainsKnown } from '../configuration/givenBook.ts'
import { loadKeepers, loadQuoteSigner } from '../configuration/loadSigner.ts'
import { assertPortsDiffer, assertPortsFetchable, assertPortsFree } from '../configuration/ports.ts'
import { withSecretFiles } from '../configuration/secretFiles.ts'
import {
  checkProviders,
  findGivenDatabase,
  loadGivenChains,
  read,
} from '../configuration/serviceConfiguration.ts'
import { assertFolderWritable } from '../configuration/writableFolder.ts'
import { findDataDirectory } from '../dataDirectory.ts'
import { loadValid, startVariables } from '../environment.ts'
import { nodeVariables } from './plan.ts'
import { wantedPorts } from './wantedPorts.ts'

type StartConfiguration = {
  environment: z.output<typeof startVariables>
  /** All variables, with the secrets of the files that some name. */
  source: NodeJS.ProcessEnv
}

/**
 * The environment of `npm start`. Checks what its processes will read, so that their problems are shown
 * here. Throws `EnvironmentError` with every problem.
 */
export async function loadStartConfiguration(
  given: NodeJS.ProcessEnv,
): Promise<StartConfiguration> {
  return withSecretFiles(given, async (source) => ({
    environment: await loadStart(source),
    source,
  }))
}

async function loadStart(source: NodeJS.ProcessEnv): Promise<z.output<typeof startVariables>> {
  const isLocal = Object.keys(nodeVariables(source)).length === 0
  const environment = read(startVariables, source)
  const ports = wantedPorts(loadValid(startVariables, source), isLocal)
  const parts = together([
    environment,
    checkChains(source, isLocal),
    isLocal ? null : checkVerified(source),
    refuseBadUrls(source),
    source.DATABASE_URL ? findGivenDatabase(source) : null,
    loadQuoteSigner(source),
    loadKeepers(source),
    checkProviders(source),
    assertFolderWritable('DATA_DIRECTORY', findDataDirectory(source)),
    assertPortsDiffer(ports),
    assertPortsFetchable(ports),
  ])
  // Processes of a killed start, which may hold the ports, are ended later in a start. With other problems that
  // does not happen, so taken ports join the list. `together` throws the error of `parts` again.
  await parts.catch(() => together([parts, assertPortsFree(ports)]))
  return environment
}

/** Nodes and ADDRESS_BOOK must be set together, or neither of them. INDEX_GROUPS names their chains. */
async function checkChains(source: NodeJS.ProcessEnv, isLocal: boolean) {
  const hasBook = Boolean(source.ADDRESS_BOOK)
  if (isLocal === hasBook)
    throw new EnvironmentError([
      isLocal
        ? 'RPC_URL_<chainId>: is not set, but ADDRESS_BOOK is. Set one for each of its chains, or neither for local chains.'
        : 'ADDRESS_BOOK: is not set, but RPC_URL_<chainId> is. Set both, or neither for local chains.',
    ])
  const { INDEX_GROUPS } = await read(startVariables.pick({ INDEX_GROUPS: true }), source)
  const chains = isLocal ? PLANNED_CHAINS : (await loadGivenChains(source)).addressBook.chains
  assertChainsKnown('INDEX_GROUPS', INDEX_GROUPS?.flat() ?? [], chains)
}
