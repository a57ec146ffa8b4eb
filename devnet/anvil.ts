import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describeRequestError, postJsonRpc } from '../domain/chain/jsonRpc.ts'
import { repeat } from '../domain/loop/startLoop.ts'
import { createCpuWatch } from './createCpuWatch.ts'
import { StandstillError, whileItMoves } from './whileItMoves.ts'

export type AnvilOptions = {
  chainId: number
  port: number
  /** A dump to start from. It is only read. */
  loadFile?: string
  /** The states of this many newest blocks are kept, in memory. Without it, all are, most of them on disk. */
  keptStates?: number
  /** For files of the node itself; by default, in the home directory. */
  cacheFolder?: string
  /** Unix seconds of the first block; by default, now. */
  genesisTime?: number
  /** Seconds between blocks. Without it, each transaction gets its own block. */
  blockTimeSeconds?: number
  forkUrl?: string
  /** The start is given up after this time in which the node did nothing. */
  quietMs?: number
}

export type Anvil = {
  chainId: number
  pid: number
  rpcUrl: string
  wsUrl: string
  /** Resolves with the last lines of its output when the node has ended. */
  ended: Promise<string>
  /** Ends the node; kills it if it has not ended after this time. */
  stop(graceMs?: number): Promise<void>
}

export class AnvilError extends Error {
  override name = 'AnvilError'
}

const STOP_MS = 6_000
const ANSWER_LIMITS = { timeoutMs: 1_000, maxResponseBytes: 1_000 }

/** Starts a local node and waits until it answers. Throws `AnvilError`. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { chainId, port } = options
  if (!(await isFree(port)))
    throw new AnvilError(`The node of chain ${chainId} needs port ${port}, which is taken`)
  const child = spawn(anvilBinary(), anvilArguments(options), {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  let words = ''
  child.stderr.on('data', (data) => {
    words = String(data).trim() || words
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(String(error)))
    child.once('exit', (code, signal) => resolve(words || `exit ${code ?? signal}`))
  })
  const rpcUrl = `http://127.0.0.1:${port}`
  const pid = child.pid ?? 0
  try {
    await untilAnswering({ ...options, rpcUrl, pid, ended })
  } catch (error) {
    child.kill('SIGKILL')
    await ended
    throw error
  }
  return {
    chainId,
    pid,
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    ended,
    async stop(graceMs = STOP_MS) {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(timer)
    },
  }
}

function anvilArguments(options: AnvilOptions): string[] {
  const { chainId, port, blockTimeSeconds, forkUrl, loadFile, keptStates, genesisTime } = options
  const { cacheFolder } = options
  return [
    '--chain-id',
    String(chainId),
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--quiet',
    ...(blockTimeSeconds ? ['--block-time', String(blockTimeSeconds)] : []),
    ...(forkUrl ? ['--fork-url', forkUrl] : []),
    ...(loadFile ? ['--load-state', loadFile] : []),
    ...(keptStates ? ['--prune-history', String(keptStates)] : []),
    ...(cacheFolder ? ['--cache-path', cacheFolder] : []),
    ...(genesisTime ? ['--timestamp', String(genesisTime)] : []),
  ]
}

/** npm's `anvil` command is a wrapper: ending it would leave the node running. */
function anvilBinary(): string {
  const cpu = process.arch === 'x64' ? 'amd64' : process.arch
  const name = `@foundry-rs/anvil-${process.platform}-${cpu}`
  const fromWrapper = createRequire(
    createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'),
  )
  return join(dirname(fromWrapper.resolve(`${name}/package.json`)), 'bin', 'anvil')
}

/** Checked first: if another node already had the port, it would answer instead of this one. */
function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

type Starting = AnvilOptions & { rpcUrl: string; pid: number; ended: Promise<string> }

/** Waits as long as the node works: reading a large state takes a while. */
async function untilAnswering({ rpcUrl, chainId, pid, ended, quietMs }: Starting) {
  const done = new AbortController()
  let lastFailure = 'no answer yet'
  const isUp = async () => {
    const answered = await askChainId(rpcUrl).catch((error: unknown) => {
      lastFailure = describeRequestError(error)
      return null
    })
    if (answered !== null && answered !== chainId)
      throw new AnvilError(`${rpcUrl} is a node of chain ${answered}, not of ${chainId}`)
    return answered === chainId
  }
  const lastWords = ended.then((words) => {
    throw notUp(chainId, words)
  })
  try {
    await whileItMoves({
      work: Promise.race([repeat({ run: isUp, everyMs: 25 }, done.signal), lastWords]),
      hasMoved: createCpuWatch(() => ({ node: pid })),
      ...(quietMs === undefined ? {} : { quietMs, lookMs: quietMs / 10 }),
    })
  } catch (error) {
    if (!(error instanceof StandstillError)) throw error
    throw notUp(chainId, `it does nothing. The last request to it failed: ${lastFailure}`)
  } finally {
    done.abort()
  }
}

function notUp(chainId: number, why: string) {
  return new AnvilError(`The node of chain ${chainId} does not come up: ${why}`)
}

async function askChainId(rpcUrl: string): Promise<number> {
  const request = { method: 'eth_chainId', params: [] }
  const answer = await postJsonRpc(rpcUrl, request, ANSWER_LIMITS)
  if ('error' in answer) throw new Error(answer.error.message)
  return Number(answer.result)
}
