import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { listProcesses } from '../../devnet/processTable.ts'
import { type RunFile, readRunFile } from '../../processes/start/runFile.ts'
import { freePortRow } from '../support/freePorts.ts'

export type ProductFolder = {
  dataDirectory: string
  environment: Record<string, string>
  remove(): Promise<void>
}

export type Product = {
  process: ChildProcess
  run: RunFile
  output: () => string
  /** Resolves with the exit code once it has ended. */
  ended: Promise<number | null>
}

/** Far more than a start takes on a busy machine. */
const TABLE_MS = 180_000
/** Longer than a start may take, which ends by itself then. */
export const START_MS = TABLE_MS + 20_000

/** A data directory of its own, and ports that nobody uses. */
export async function createProductFolder(): Promise<ProductFolder> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-start-'))
  await chmod(dataDirectory, 0o755) // Root's Postgres runs as somebody else, who must pass.
  // One row, so that no two parts can get the same port.
  const first = await freePortRow(3 + 6)
  return {
    dataDirectory,
    environment: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      DATA_DIRECTORY: dataDirectory,
      API_PORT: String(first),
      POSTGRES_PORT: String(first + 1),
      ANVIL_BASE_PORT: String(first + 3),
      ATTESTATION_PORT: String(first + 2),
      LOG_LEVEL: 'warn',
    },
    remove: () => rm(dataDirectory, { recursive: true, force: true }),
  }
}

/** `npm start` in this folder, without waiting for it. */
export function launchProduct(environment: Record<string, string>, parameters: string[] = []) {
  const child = spawn('npm', ['start', '--', ...parameters], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += String(data)
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { process: child, output: () => output, ended }
}

/** `npm start` up to its table. */
export async function startProduct(
  folder: ProductFolder,
  more: Record<string, string> = {},
  parameters: string[] = [],
): Promise<Product> {
  const launched = launchProduct({ ...folder.environment, ...more }, parameters)
  let hasEnded = false
  void launched.ended.then(() => {
    hasEnded = true
  })
  const deadline = Date.now() + TABLE_MS
  // The last line of the table.
  while (!/^ {2}curl .*graphql.*$/m.test(launched.output())) {
    if (hasEnded || Date.now() > deadline) {
      launched.process.kill('SIGTERM')
      await launched.ended
      throw new Error(`no table:\n${launched.output()}`)
    }
    await sleep(50)
  }
  const hasForks = parameters.includes('--fork')
  const run = await readRunFile(join(folder.dataDirectory, hasForks ? 'fork' : ''))
  if (!run) throw new Error('no run file')
  return { ...launched, run }
}

/** The processes that are left of a product: those of its groups, and all that name its folder. */
export async function leftovers({ dataDirectory }: ProductFolder, run: RunFile): Promise<string[]> {
  const groups = new Set(Object.values(run.pids))
  return (await listProcesses())
    .filter(
      ({ pid, group, command }) =>
        groups.has(pid) ||
        (groups.has(group) && group !== run.pids.start) ||
        command.includes(dataDirectory),
    )
    .map(({ pid, command }) => `${pid} ${command}`)
}

export async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}
