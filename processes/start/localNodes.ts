import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { devnetUserKeys } from '../../devnet/accounts.ts'
import { type Anvil, startAnvil } from '../../devnet/anvil.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { PLANNED_CHAINS } from '../../devnet/plan.ts'
import { seedScenario } from '../../devnet/scenario.ts'
import { seedVaults } from '../../devnet/vaults/seedVaults.ts'
import { devnetClient } from '../../devnet/world.ts'
import { type AddressBook, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import type { WantedPort } from './ports.ts'
import type { Steps } from './steps.ts'

/** The nodes of the local world, with its contracts. They mine a block each second. */
export type LocalNodes = {
  rpcUrls: Record<number, string>
  /** RPC_URL_<chainId> and WS_URL_<chainId> for the processes. */
  variables: Record<string, string>
  addressBook: AddressBook
  addressBookPath: string
  accounts: { address: string; privateKey: string }[]
  pids: Record<string, number>
  /** The last start was killed, so the nodes' state on disk may be older than the index. */
  mayHaveLostBlocks: boolean
  /** Resolves when a node has ended, with its chain and the cause. */
  ended: Promise<string>
  stop(): Promise<void>
}

export type LocalNodesOptions = { dataDirectory: string; basePort: number; steps: Steps }

const BLOCK_SECONDS = 1

/** The ports of the local nodes, in the order of `PLANNED_CHAINS`. */
export function localNodePorts(basePort: number): (WantedPort & { chainId: number })[] {
  return PLANNED_CHAINS.map(({ id }, index) => ({
    chainId: id,
    port: basePort + index,
    variable: index === 0 ? 'ANVIL_BASE_PORT' : `ANVIL_BASE_PORT + ${index}`,
    host: '127.0.0.1',
  }))
}

/** Starts a node per chain with its stored state, creates missing contracts and orders, and starts mining. */
export async function startLocalNodes(options: LocalNodesOptions): Promise<LocalNodes> {
  const { dataDirectory, steps } = options
  const stateFolder = join(dataDirectory, 'chains')
  await mkdir(stateFolder, { recursive: true })
  // This file exists while the nodes may have blocks that are not on disk yet.
  const openMark = join(stateFolder, 'open')
  const mayHaveLostBlocks = existsSync(openMark)
  await writeFile(openMark, '')
  const anvils = await steps.step('six local nodes started', () =>
    startAnvils(options, stateFolder),
  )
  try {
    const rpcUrls = Object.fromEntries(anvils.map(({ chainId, rpcUrl }) => [chainId, rpcUrl]))
    const file = await steps.step('contracts compiled and created', () =>
      deployWorld({ rpcUrls, cacheFolder: join(dataDirectory, 'artifacts'), withVaults: true }),
    )
    const addressBookPath = join(dataDirectory, 'address-book.json')
    await writeFile(addressBookPath, `${JSON.stringify(file, null, 2)}\n`)
    const addressBook = parseAddressBook(file, addressBookPath)
    await steps.step('example orders and vault activity created', async () => {
      await seedScenario({ rpcUrls, addressBook })
      await seedVaults({ rpcUrls, addressBook })
    })
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
        const endings = await Promise.all(anvils.map((anvil) => anvil.ended))
        if (!endings.some((ending) => ending.includes('SIGKILL'))) await rm(openMark)
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
