import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { type KeptAnvil, startKeptAnvil } from '../../devnet/keptAnvil.ts'
import { livePast, PAST_DAYS } from '../../devnet/past/livePast.ts'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import { startTogether } from '../../devnet/startTogether.ts'
import { seedVaults } from '../../devnet/vaults/seedVaults.ts'
import { type AddressBook, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { WantedPort } from '../configuration/ports.ts'
import type { Steps } from './steps.ts'

/** The nodes of the local world, with its contracts. The bots make their blocks. */
export type LocalNodes = {
  rpcUrls: Record<number, string>
  /** RPC_URL_<chainId> and WS_URL_<chainId> for the processes. */
  variables: Record<string, string>
  addressBook: AddressBook
  addressBookPath: string
  accounts: { address: string; privateKey: string }[]
  pids: Record<string, number>
  /** The last start was killed, or the chains are new: the nodes may lack blocks that were indexed. */
  mayHaveLostBlocks: boolean
  /** Resolves when a node has ended, with its chain and the cause. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type LocalNodesOptions = {
  dataDirectory: string
  basePort: number
  steps: Steps
  print: (line: string) => void
}

const DAY_SECONDS = 86_400
/** The keeper reads a nonce at its newest finalized block. Each state is a copy of all accounts. */
const SPARE_STATES = 5

/** The ports of the local nodes, in the order of `PLANNED_CHAINS`. */
export function localNodePorts(basePort: number): (WantedPort & { chainId: number })[] {
  return PLANNED_CHAINS.map(({ id }, index) => ({
    chainId: id,
    port: basePort + index,
    variable: index === 0 ? 'ANVIL_BASE_PORT' : `ANVIL_BASE_PORT + ${index}`,
    host: '127.0.0.1',
    isFetched: true,
  }))
}

/** Starts a node per chain with its kept chain, and creates missing contracts and orders. */
export async function startLocalNodes(options: LocalNodesOptions): Promise<LocalNodes> {
  const { dataDirectory, steps } = options
  const stateFolder = join(dataDirectory, 'chains')
  await mkdir(stateFolder, { recursive: true })
  // This file exists while the nodes may have blocks that are not on disk yet.
  const openMark = join(stateFolder, 'open')
  const isNew = PLANNED_CHAINS.some(({ id }) => !existsSync(stateFile(stateFolder, id)))
  const mayHaveLostBlocks = isNew || existsSync(openMark)
  await writeFile(openMark, '')
  await removeLeftovers(stateFolder, isNew)
  const genesisTime = Math.floor(Date.now() / 1_000) - PAST_DAYS * DAY_SECONDS
  const anvils = await steps.step('six local nodes started', () =>
    startAnvils(options, stateFolder, genesisTime),
  )
  try {
    const rpcUrls = Object.fromEntries(anvils.map(({ chainId, rpcUrl }) => [chainId, rpcUrl]))
    const file = await steps.step('contracts created', () =>
      deployWorld({ rpcUrls, withVaults: true }),
    )
    const addressBookPath = join(dataDirectory, 'address-book.json')
    await writeFile(addressBookPath, `${JSON.stringify(file, null, 2)}\n`)
    const addressBook = parseAddressBook(file, addressBookPath)
    if (isNew)
      await steps.step('six weeks of activity created', async () => {
        await livePast({ rpcUrls, addressBook }, genesisTime)
        await seedVaults({ rpcUrls, addressBook })
      })
    // A start that is killed before this begins anew: half of a world is of no use.
    for (const anvil of anvils) anvil.keep()
    return {
      rpcUrls,
      variables: Object.fromEntries(
        anvils.flatMap(({ chainId, rpcUrl, wsUrl }) => [
          [`RPC_URL_${chainId}`, rpcUrl],
          [`WS_URL_${chainId}`, wsUrl],
        ]),
      ),
      addressBook,
      addressBookPath,
      accounts: devnetUserKeys(),
      pids: Object.fromEntries(anvils.map(({ chainId, pid }) => [`anvil-${chainId}`, pid])),
      ended: Promise.race(
        anvils.map(async ({ chainId, ended }) => `the node of chain ${chainId}: ${await ended}`),
      ),
      mayHaveLostBlocks,
      async stop() {
        if ((await stopAll(anvils)).every((isKept) => isKept)) await rm(openMark)
      },
    }
  } catch (error) {
    await stopAll(anvils)
    throw error
  }
}

function stateFile(stateFolder: string, chainId: number): string {
  return join(stateFolder, `${chainId}.json.gz`)
}

/**
 * Removes what a killed start was writing. In a new world also the chains: one that lacks a chain cannot go on.
 */
async function removeLeftovers(stateFolder: string, isNew: boolean) {
  const kept = isNew ? /^open$/ : /^(open|\d+\.json\.gz)$/
  for (const name of await readdir(stateFolder))
    if (!kept.test(name)) await rm(join(stateFolder, name), { recursive: true })
}

function startAnvils(
  { basePort, print }: LocalNodesOptions,
  stateFolder: string,
  genesisTime: number,
): Promise<KeptAnvil[]> {
  const ports = new Map(localNodePorts(basePort).map(({ chainId, port }) => [chainId, port]))
  return startTogether(
    PLANNED_CHAINS.map(({ id: chainId, finalityDepth }) =>
      startKeptAnvil({
        chainId,
        port: ports.get(chainId) ?? 0,
        stateFile: stateFile(stateFolder, chainId),
        keptStates: finalityDepth + SPARE_STATES,
        genesisTime,
        onWriteFailure: (error) =>
          print(
            `The chain ${chainId} could not be written, a kill now would lose blocks: ${error}`,
          ),
      }),
    ),
  )
}

function stopAll(anvils: KeptAnvil[]): Promise<boolean[]> {
  return Promise.all(anvils.map((anvil) => anvil.stop()))
}
