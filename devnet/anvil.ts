import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type KeptState, keepState } from './keptState.ts'

export type AnvilOptions = {
  chainId: number
  port: number
  /** File in which the chain's state is kept; written every ten seconds and at the end. */
  stateFile?: string
  /** A dump to start from. It is only read. */
  loadFile?: string
  /** Seconds between blocks. Without it, each transaction gets its own block. */
  blockTimeSeconds?: number
  forkUrl?: string
}

export type Anvil = {
  chainId: number
  pid: number
  rpcUrl: string
  wsUrl: string
  /** Resolves with the last lines of its output when the node has ended. */
  ended: Promise<string>
  stop(): Promise<void>
}

export class AnvilError extends Error {
  override name = 'AnvilError'
}

const START_MS = 15_000
const STOP_MS = 6_000
const ANSWER_MS = 1_000

/** Starts a local node and waits until it answers. Throws `AnvilError`. */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const { chainId, port } = options
  if (!(await isFree(port)))
    throw new AnvilError(`The node of chain ${chainId} needs port ${port}, which is taken`)
  const state = options.stateFile ? await keepState(options.stateFile) : null
  const child = spawn(anvilBinary(), anvilArguments(options, state), {
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
  await untilAnswering(rpcUrl, chainId, ended)
  return {
    chainId,
    pid: child.pid ?? 0,
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${port}`,
    ended,
    async stop() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await ended
      clearTimeout(timer)
    },
  }
}

function anvilArguments(
  { chainId, port, blockTimeSeconds, forkUrl, loadFile }: AnvilOptions,
  state: KeptState | null,
) {
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
    ...(state?.load ? ['--load-state', state.load] : []),
    // Without the historical states a restarted node forgets how to answer about older blocks.
    ...(state
      ? ['--dump-state', state.dump, '--state-interval', '10', '--preserve-historical-states']
      : []),
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

async function untilAnswering(rpcUrl: string, chainId: number, ended: Promise<string>) {
  let lastOutput: string | undefined
  void ended.then((words) => {
    lastOutput = words
  })
  const deadline = Date.now() + START_MS
  while (Date.now() < deadline && lastOutput === undefined) {
    const answered = await askChainId(rpcUrl)
    if (answered === chainId) return
    if (answered !== null)
      throw new AnvilError(`${rpcUrl} is a node of chain ${answered}, not of ${chainId}`)
    await sleep(25)
  }
  throw new AnvilError(
    `The node of chain ${chainId} does not come up: ${lastOutput ?? 'no answer'}`,
  )
}

async function askChainId(rpcUrl: string): Promise<number | null> {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null)
  if (!response?.ok) return null
  const { result } = (await response.json()) as { result?: string }
  return result ? Number(result) : null
}
