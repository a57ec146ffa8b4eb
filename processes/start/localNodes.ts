import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { type Anvil, startAnvil } from '../../devnet/anvil.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import { seedScenario } from '../../devnet/scenario.ts'
import { devnetClient } from '../../devnet/world.ts'
import { type AddressBook, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { WantedPort } from './ports.ts'
import type { Steps } from './steps.ts'

/** The nodes of the local world, deployed and mining. */
export type LocalNodes = {
  rpcUrls: Record<number, string>
  /** RPC_URL_<chainId> and WS_URL_<chainId> for the processes. */
  variables: Record<string, string>
  addressBook: AddressBook
  addressBookPath: string
  accounts: { address: string; privateKey: string }[]
  pids: Record<string, number>
  /** They were killed before: their state on disk may be older than what was indexed. */
  mayHaveLostBlocks: boolean
  /** Resolves when one of them has ended, with which and why. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type LocalNodesOptions = { dataDirectory: string; basePort: number; steps: Steps }

const BLOCK_SECONDS = 1

/** The ports that the local nodes take, in the order of the planned chains. */
export function localNodePorts(basePort: number): (WantedPort & { chainId: number })[] {
  return PLANNED_CHAINS.map(({ id }, index) => ({
    chainId: id,
    port: basePort + index,
    variable: index === 0 ? 'ANVIL_BASE_PORT' : `ANVIL_BASE_PORT + ${index}`,
    host: '127.0.0.1',
  }))
}

/** Starts a node per chain on its kept state, deploys what is missing, seeds once, and lets blocks come. */
export async function startLocalNodes(options: LocalNodesOptions): Promise<LocalNodes> {
  const { dataDirectory, steps } = options
  const stateFolder = join(dataDirectory, 'chains')
  await mkdir(stateFolder, { recursive: true })
  // Lies there while blocks may exist that are not on disk yet.
  const openMark = join(stateFolder, 'open')
  const mayHaveLostBlocks = existsSync(openMark)
  await writeFile(openMark, '')
  const anvils = await steps.step('six local nodes', () => startAnvils(options, stateFolder))
  try {
    const rpcUrls = Object.fromEntries(anvils.map(({ chainId, rpcUrl }) => [chainId, rpcUrl]))
    const file = await steps.step('contracts, compiled and deployed', () =>
      deployWorld({ rpcUrls, cacheFolder: join(dataDirectory, 'artifacts'), withVaults: true }),
    )
    const addressBookPath = join(dataDirectory, 'address-book.json')
    await writeFile(addressBookPath, `${JSON.stringify(file, null, 2)}\n`)
    const addressBook = parseAddressBook(file, addressBookPath)
    await steps.step('orders in every status', () => seedScenario({ rpcUrls, addressBook }))
    await Promise.all(
      anvils.map(({ chainId, rpcUrl }) =>
        devnetClient(chainId, rpcUrl).setIntervalMining({ interval: BLOCK_SECONDS }),
      ),
    )
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
        await stopAll(anvils)
        const lastWords = await Promise.all(anvils.map((anvil) => anvil.ended))
        if (!lastWords.some((words) => words.includes('SIGKILL'))) await rm(openMark)
      },
    }
  } catch (error) {
    await stopAll(anvils)
    throw error
  }
}

async function startAnvils({ basePort }: LocalNodesOptions, stateFolder: string): Promise<Anvil[]> {
  const started = await Promise.allSettled(
    localNodePorts(basePort).map(({ chainId, port }) =>
      startAnvil({ chainId, port, stateFile: join(stateFolder, `${chainId}.json`) }),
    ),
  )
  const anvils = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  const failed = started.find((outcome) => outcome.status === 'rejected')
  if (!failed) return anvils
  await stopAll(anvils)
  throw failed.reason
}

async function stopAll(anvils: Anvil[]) {
  await Promise.all(anvils.map((anvil) => anvil.stop()))
}
