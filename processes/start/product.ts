import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createCpuWatch } from '../../devnet/createCpuWatch.ts'
import { indexedChains } from '../../domain/addressBook/indexedChains.ts'
import { createChainClients } from '../../domain/chain/chainClients.ts'
import { localApiKey } from './apiKey.ts'
import { apiUrlOf } from './apiUrlOf.ts'
import { type BackingServices, startBackingServices } from './backingServices.ts'
import { type Children, createChildren } from './children.ts'
import { childSpecs } from './childSpecs.ts'
import { endOrphans } from './endOrphans.ts'
import type { ProductOptions } from './productOptions.ts'
import { report } from './report.ts'
import { type RunFile, removeRunFile, writeRunFile } from './runFile.ts'
import { loadSecrets } from './secrets.ts'
import { writeLocalShieldBook } from './shieldBookFile.ts'
import { takeStartLock } from './startLock.ts'
import { createSteps } from './steps.ts'
import { anyOrderId, untilApiReady, untilIndexed } from './untilReady.ts'

/** The started parts. `processes` stop first, then the `backing` services. */
type Parts = Record<'backing' | 'processes', Part[]>
type Part = { stop(): Promise<void> }

/** Seconds of processor time a minute. An indexer or api that only tries again uses less. */
const WORK_STEP = 2

/** Runs the product until `signal` (null), or until a required part ends (the part and the cause). */
export async function runProduct(options: ProductOptions): Promise<string | null> {
  const { dataDirectory, signal } = options
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  const lock = await takeStartLock(dataDirectory)
  await endOrphans(dataDirectory)
  const stopped = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true })
  })
  const parts: Parts = { backing: [], processes: [] }
  const started = start(options, parts)
  try {
    // A signal during the start waits for the current step, so that all started parts are known.
    const lost = await Promise.race([started, stopped])
    return lost === null ? null : await Promise.race([lost.ended, stopped])
  } finally {
    // Its error is thrown above.
    await started.catch(() => {})
    await stopAll(parts.processes)
    await stopAll(parts.backing)
    await removeRunFile(dataDirectory)
    lock.release()
  }
}

/** Resolves when everything is ready; `ended` resolves when a required part has ended. */
async function start(options: ProductOptions, parts: Parts): Promise<{ ended: Promise<string> }> {
  const { dataDirectory, environment, print, root, signal } = options
  const steps = createSteps((line) => !signal.aborted && print(line))
  const kept = await loadSecrets(dataDirectory)
  const secrets = {
    ...kept,
    appSecret: environment.APP_SECRET ?? kept.appSecret,
    secretsKey: environment.SECRETS_KEY ?? kept.secretsKey,
  }
  const backing = await startBackingServices({
    options,
    secrets,
    steps,
    parts: parts.backing,
  })
  const { databaseUrl, postgres, nodes, forks } = backing
  const ended = Promise.race([
    ...(postgres ? [postgres.ended.then((words) => `Postgres: ${words}`)] : []),
    ...(nodes ? [nodes.ended] : []),
    ...(forks ? [forks.ended] : []),
    new Promise<string>(() => {}),
  ])
  if (signal.aborted) return { ended }

  const apiKey = await localApiKey(databaseUrl, dataDirectory, secrets)
  const shield = nodes && (await writeLocalShieldBook(dataDirectory, backing.addressBook))
  const children = await createChildren({
    root,
    logDirectory: join(dataDirectory, 'logs'),
    onEnd: (name, cause) =>
      print(
        `  ${name} ended (${cause}) and is started again. See its log: ${join(dataDirectory, 'logs', `${name}.log`)}`,
      ),
    onStart: () =>
      writeRunFile(dataDirectory, runFile(options, backing, { apiKey, shield, children })),
  })
  parts.processes.push(children)
  const specs = childSpecs(
    options,
    backing,
    { ...secrets, apiKey },
    shield?.bookFile ?? options.source.SHIELD_BOOK,
  )
  const startEach = (isOne: (name: string) => boolean) => {
    for (const spec of specs) if (isOne(spec.name)) children.start(spec)
  }
  startEach((name) => name !== 'worker')

  const run = runFile(options, backing, { apiKey, shield, children })
  // The others work all the time, also where an api or an indexer does not come up.
  const waitFor = (names: RegExp) => ({
    hasMoved: createCpuWatch(() => pidsOf(children, names), WORK_STEP),
    signal,
  })
  await steps.step('API is ready', () => untilApiReady(run.apiUrl, waitFor(/^api$/)))
  // The start does not wait for it, so it leaves the processor to the others first.
  if (!signal.aborted) startEach((name) => name === 'worker')
  let late = ''
  const onLate = (chains: string) => {
    late = chains
  }
  await steps.step(
    'index is synced',
    async () =>
      untilIndexed(databaseUrl, await indexedHeads(backing), { ...waitFor(/^indexer-/), onLate }),
    () => late,
  )
  if (!signal.aborted)
    print(
      report(run, {
        dataDirectory,
        orderId: await anyOrderId(databaseUrl),
        elapsed: steps.elapsedSeconds(),
        attestationUrl: backing.nodes && `http://127.0.0.1:${environment.ATTESTATION_PORT}`,
      }),
    )
  return { ended }
}

function pidsOf(children: Children, names: RegExp): Record<string, number> {
  return Object.fromEntries(Object.entries(children.pids()).filter(([name]) => names.test(name)))
}

async function stopAll(parts: Part[]) {
  await Promise.all(parts.map((part) => part.stop()))
}

async function indexedHeads({
  addressBook,
  chainUrls,
}: BackingServices): Promise<Map<number, bigint>> {
  const endpoints = [...chainUrls].map(([chainId, { rpcUrls }]) => ({ chainId, rpcUrls }))
  const clients = createChainClients(endpoints, addressBook)
  const heads = indexedChains(addressBook).map(
    async ({ id }): Promise<[number, bigint]> => [id, await clients.head(id)],
  )
  return new Map(await Promise.all(heads))
}

function runFile(
  { environment, root }: ProductOptions,
  { databaseUrl, addressBookPath, chainUrls, postgres, nodes, forks }: BackingServices,
  { apiKey, shield, children }: Pick<RunFile, 'apiKey' | 'shield'> & { children: Children },
): RunFile {
  const apiUrl = apiUrlOf(environment)
  const rpcUrls = [...chainUrls].map(([chainId, { rpcUrls }]) => [chainId, rpcUrls[0] ?? ''])
  return {
    apiUrl,
    consoleUrl: `${apiUrl}/console`,
    graphqlUrl: `${apiUrl}/graphql`,
    apiKey,
    rpcUrls: Object.fromEntries(rpcUrls),
    databaseUrl,
    addressBook: addressBookPath,
    shield,
    accounts: nodes?.accounts ?? [],
    devnetCommand: nodes ? [process.execPath, join(root, 'cli/devnet.ts')] : [],
    pids: {
      start: process.pid,
      ...(postgres ? { postgres: postgres.pid } : {}),
      ...nodes?.pids,
      ...forks?.pids,
      ...children.pids(),
    },
  }
}
