import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import type { AddressBookFile } from '../../domain/addressBook/addressBook.ts'
import { asProcessRole } from './databaseRole.ts'
import { until } from './until.ts'

export type TestIndexerOptions = {
  databaseUrl: string
  addressBook: AddressBookFile
  chainIds: number[]
  rpcUrls: Record<number, string>
  wsUrls?: Record<number, string>
  /** The root of another version of the project. */
  root?: string | undefined
  pollIntervalMs?: number | undefined
  /** Further variables of its environment. */
  variables?: Record<string, string> | undefined
}

/** The real indexer process over the given nodes. */
export async function startTestIndexer(options: TestIndexerOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-indexer-'))
  const addressBook = join(folder, 'address-book.json')
  await writeFile(addressBook, JSON.stringify(options.addressBook))
  const urls = (prefix: string, byChain: Record<number, string> = {}) =>
    Object.fromEntries(Object.entries(byChain).map(([id, url]) => [`${prefix}_${id}`, url]))
  const child = spawn(process.execPath, ['processes/indexer.ts'], {
    cwd: options.root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // The files of a changed project would stay in the cache.
      NODE_COMPILE_CACHE: options.root ? undefined : process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: asProcessRole(options.databaseUrl, 'indexer'),
      ADDRESS_BOOK: addressBook,
      INDEX_CHAINS: options.chainIds.join(','),
      INDEX_POLL_MS: String(options.pollIntervalMs ?? 100),
      LOG_LEVEL: 'warn',
      ...options.variables,
      ...urls('RPC_URL', options.rpcUrls),
      ...urls('WS_URL', options.wsUrls),
    },
    // In its own process group, so that it can be halted with Ponder; the channel ends it with this one.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => {
      output += String(data)
    })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const signalGroup = (signal: NodeJS.Signals) => {
    const isGone = child.exitCode !== null || child.signalCode !== null
    if (child.pid && !isGone) process.kill(-child.pid, signal)
  }
  return {
    pid: child.pid ?? 0,
    /** Resolves when it has ended, by itself too. */
    ended,
    addressBook,
    output: () => output,
    /** Halts it, like a machine that hangs. */
    pause: () => signalGroup('SIGSTOP'),
    resume: () => signalGroup('SIGCONT'),
    /** Kills it without a clean stop, with its Ponder or so that Ponder is orphaned. */
    async kill(victim: 'group' | 'launcher' = 'group') {
      if (victim === 'group') signalGroup('SIGKILL')
      else child.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      signalGroup('SIGCONT')
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Resolves when every chain is served at least up to `block`. */
export function untilIndexed(sql: Sql, blocks: Record<number, number>): Promise<void> {
  const isReached = async () => {
    const rows = await sql<{ chain_id: number; block_number: bigint | null; is_ready: boolean }[]>`
      select chain_id, block_number, is_ready from read.chain_progress`.catch(() => [])
    return Object.entries(blocks).every(([id, block]) =>
      rows.some(
        (row) =>
          row.chain_id === Number(id) && row.is_ready && Number(row.block_number ?? -1) >= block,
      ),
    )
  }
  return until(isReached, () => `not indexed in time: ${JSON.stringify(blocks)}`)
}
