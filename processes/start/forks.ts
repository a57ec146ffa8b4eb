import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startAnvil } from '../../devnet/anvil.ts'
import { startTogether } from '../../devnet/startTogether.ts'
import { EnvironmentError } from '../configuration/environmentError.ts'
import { dataVariables, loadValid, startVariables } from '../environment.ts'
import type { Steps } from './steps.ts'

/** A chain whose node is an anvil here that goes on from a node elsewhere, and the port of the anvil. */
export type Fork = { chainId: number; url: string; port: number }

export type StartedForks = {
  pids: Record<string, number>
  /** Resolves when a fork has ended, with its chain and the cause. */
  ended: Promise<string>
  stop(): Promise<void>
}

/** The heads of chains must not grow old: the service measures how far it is behind by their times. */
const BLOCK_TIME_SECONDS = 2
const BAD_FORM = '--fork: expected <chainId>=<URL of a node>, as in 1=https://one.example/key.'

/** The forks that `npm start -- --fork <chainId>=<url>` names. Throws `EnvironmentError`. */
export function readForks(parameters: string[], source: NodeJS.ProcessEnv): Fork[] {
  const { ANVIL_BASE_PORT = 0 } = loadValid(startVariables, source)
  const forks = forkOptions(parameters).map((text, index) => {
    const [, id = '', url = ''] = /^(\d+)=(.+)$/.exec(text) ?? []
    return { chainId: Number(id), url, port: ANVIL_BASE_PORT + index }
  })
  const ids = forks.map(({ chainId }) => chainId)
  const problems = [
    ...(forks.every(({ url }) => /^https?:\/\//.test(url) && URL.canParse(url)) ? [] : [BAD_FORM]),
    ...ids
      .filter((id, index) => ids.indexOf(id) !== index)
      .map((id) => `--fork: chain ${id} is named twice.`),
    ...ids
      .filter((id) => source[`RPC_URL_${id}`])
      .map((id) => `RPC_URL_${id}: is set, and chain ${id} is forked. Give one of them.`),
    ...(forks.length > 0 && !source.ADDRESS_BOOK
      ? ['ADDRESS_BOOK: is not set. Forks have the contracts of a book: set it to yours.']
      : []),
    // Each start deletes the index, because a fork begins anew.
    ...(forks.length > 0 && source.DATABASE_URL
      ? ['DATABASE_URL: is set. Forks have a Postgres of their own: leave it out.']
      : []),
  ]
  if (problems.length > 0) throw new EnvironmentError(problems)
  return forks
}

function forkOptions(parameters: string[]): string[] {
  try {
    const options = { fork: { type: 'string', multiple: true } } as const
    return parseArgs({ args: parameters, options }).values.fork ?? []
  } catch (error) {
    throw new EnvironmentError([error instanceof Error ? error.message : String(error)])
  }
}

/** The variables of a start with forks: their nodes, and a data directory that no other chains have used. */
export function withForks(source: NodeJS.ProcessEnv, forks: Fork[]): NodeJS.ProcessEnv {
  if (forks.length === 0) return source
  const { DATA_DIRECTORY = '.causeway' } = loadValid(dataVariables, source)
  const urls = forks.flatMap(({ chainId, port }) => [
    [`RPC_URL_${chainId}`, `http://127.0.0.1:${port}`],
    [`WS_URL_${chainId}`, `ws://127.0.0.1:${port}`],
  ])
  return { ...source, DATA_DIRECTORY: join(DATA_DIRECTORY, 'fork'), ...Object.fromEntries(urls) }
}

/** Starts the nodes of the forks. Throws `AnvilError`. */
export async function startForks(
  forks: Fork[],
  { dataDirectory, steps }: { dataDirectory: string; steps: Steps },
): Promise<StartedForks> {
  const names = forks.map(({ chainId }) => chainId).join(', ')
  const anvils = await steps.step(`forks of chains ${names} started`, () =>
    startTogether(
      forks.map(({ chainId, url, port }) =>
        startAnvil({
          chainId,
          port,
          forkUrl: url,
          blockTimeSeconds: BLOCK_TIME_SECONDS,
          // It names this start, by which a later one ends what a killed one has left.
          cacheFolder: join(dataDirectory, 'forks'),
        }),
      ),
    ),
  )
  return {
    pids: Object.fromEntries(anvils.map(({ chainId, pid }) => [`anvil-${chainId}`, pid])),
    ended: Promise.race(
      anvils.map(async ({ chainId, ended }) => `the fork of chain ${chainId}: ${await ended}`),
    ),
    async stop() {
      await Promise.all(anvils.map((anvil) => anvil.stop()))
    },
  }
}
