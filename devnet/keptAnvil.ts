import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Hash } from 'viem'
import { type Loop, startLoop } from '../domain/loop/startLoop.ts'
import { type Anvil, startAnvil } from './anvil.ts'
import { createCpuWatch } from './createCpuWatch.ts'
import { dumpState } from './dumpState.ts'
import { whileItMoves } from './whileItMoves.ts'
import { devnetClient } from './world.ts'

export type KeptAnvilOptions = {
  chainId: number
  port: number
  /** Gzipped JSON. It is replaced as a whole, so it is always complete. */
  stateFile: string
  /** Unix seconds of the first block of a new chain; by default, now. */
  genesisTime?: number
  everyMs?: number
  /** The states of this many newest blocks are kept for calls. */
  keptStates: number
  /** At the end, a node that does nothing for this time is killed. */
  hungMs?: number
  /** Called each time that the chain could not be written. */
  onWriteFailure?: (error: unknown) => void
}

/** A node whose chain outlives it. */
export type KeptAnvil = Omit<Anvil, 'stop'> & {
  /** From now on the chain is written to its file: often, and once more by `stop`. */
  keep(): void
  /** Mines what was sent, writes the chain and ends the node. False if the chain could not be written. */
  stop(): Promise<boolean>
}

/** Half of the time that a `kill -9` may cost: the other half is for writing. */
const EVERY_MS = 15_000
const HUNG_MS = 5_000

/** Starts a node with the chain of its file, if there is one. Throws `AnvilError`. */
export async function startKeptAnvil(options: KeptAnvilOptions): Promise<KeptAnvil> {
  const { chainId, port, stateFile, keptStates, genesisTime } = options
  const { everyMs = EVERY_MS, hungMs = HUNG_MS, onWriteFailure = () => {} } = options
  const hasState = existsSync(stateFile)
  const unpacked = `${stateFile}.unpacked`
  if (hasState)
    await pipeline(createReadStream(stateFile), createGunzip(), createWriteStream(unpacked))
  const { stop: end, ...node } = await startAnvil({
    chainId,
    port,
    keptStates,
    // It also shows in the process table to which folder the node belongs.
    cacheFolder: join(dirname(stateFile), 'cache'),
    ...(hasState ? { loadFile: unpacked } : {}),
    ...(!hasState && genesisTime ? { genesisTime } : {}),
  }).finally(() => rm(unpacked, { force: true }))

  const client = devnetClient(chainId, node.rpcUrl)
  let written: Hash | null = null
  let writing: Loop | null = null

  async function write() {
    const { hash } = await client.getBlock({ includeTransactions: false })
    if (hash === written) return
    await replaceFile(stateFile, await dumpState(node, false))
    written = hash
  }
  async function writeLast() {
    await writing?.stop()
    const { pending } = await client.getTxpoolStatus()
    if (pending > 0) await client.mine({ blocks: 1 })
    written = null
    await write()
  }

  return {
    ...node,
    keep() {
      // After a failure too: a disk that was full may have room then.
      writing ??= startLoop({ run: write, everyMs, onFailure: onWriteFailure })
    },
    async stop() {
      const isKept =
        writing !== null &&
        (await whileItMoves({
          work: writeLast(),
          hasMoved: createCpuWatch(() => ({ node: node.pid })),
          quietMs: hungMs,
          lookMs: hungMs / 5,
        }).then(
          () => true,
          (error) => {
            onWriteFailure(error)
            return false
          },
        ))
      await end(isKept ? undefined : 0)
      return isKept
    },
  }
}

/** Written beside and moved, so that a kill at any moment leaves the former content or the new one. */
async function replaceFile(path: string, content: Buffer) {
  const unfinished = `${path}.next`
  const file = await open(unfinished, 'w')
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
}
