import { startAnvil } from '../../devnet/anvil.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { devnetClient, type World } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { freePorts } from './freePorts.ts'
import { type BuildOfB, listAsB, placeDepositorB } from './generationB.ts'
import { dumpedChain } from './worldDumps.ts'

export type TestAnvils = {
  rpcUrls: Record<number, string>
  wsUrls: Record<number, string>
  stop(): Promise<void>
}

export type TestWorld = {
  world: World
  addressBook: AddressBookFile
  wsUrls: Record<number, string>
  stop(): Promise<void>
}

export type TestWorldOptions = {
  /** Seconds between blocks after the deployment; without it each transaction is mined at once. */
  blockTimeSeconds?: number
  /** Also deploys the vaults of these chains. */
  withVaults?: boolean
  /**
   * The states of this many newest blocks are kept, in memory. Set it for histories with many reorganisations: after some
   * 1,500 blocks, anvil reads states from disk, and a reorganisation to one of those leaves contracts without code.
   */
  keptStates?: number
  /** Depositors that become ones of generation B, with these builds. */
  ofB?: { name: string; chainId: number; build: BuildOfB }[]
}

/**
 * Nodes on free ports with the local world deployed. Under vitest they start from the run's dumps.
 * The caller stops them.
 */
export async function startTestWorld(
  chainIds: number[] = [1, 4663],
  { blockTimeSeconds, withVaults = false, keptStates, ofB = [] }: TestWorldOptions = {},
): Promise<TestWorld> {
  const dumps = await dumpedChains(chainIds, withVaults)
  const { rpcUrls, wsUrls, stop } = await startTestAnvils(chainIds, dumps, keptStates)
  try {
    // On a chain that already has the world this sends nothing, and returns the contracts' addresses.
    const addressBook = await deployWorld({ rpcUrls, withVaults })
    for (const { name, chainId, build } of ofB) {
      const client = devnetClient(chainId, rpcUrls[chainId] ?? '')
      await placeDepositorB(client, vaultDeployment(name, chainId), build)
      listAsB(addressBook, { name, chainId, build })
    }
    const world = { rpcUrls, addressBook: parseAddressBook(addressBook, 'the local world') }
    if (blockTimeSeconds)
      await Promise.all(
        chainIds.map((id) =>
          devnetClient(id, rpcUrls[id] ?? '').setIntervalMining({ interval: blockTimeSeconds }),
        ),
      )
    return { world, addressBook, wsUrls, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Files of dumped chains by chain id. */
type Dumps = Record<number, string>

async function dumpedChains(chainIds: number[], withVaults: boolean): Promise<Dumps> {
  // Benchmarks and manual simulations start one world without a folder of dumps.
  if (!process.env.VITEST) return {}
  const { inject } = await import('vitest')
  const options = { folder: inject('worldsFolder'), withVaults }
  const files = chainIds.map(async (id) => [id, await dumpedChain(id, options)] as const)
  return Object.fromEntries(await Promise.all(files))
}

/** Automining nodes on free ports, one per chain id, empty without a dump. The caller stops them. */
export async function startTestAnvils(
  chainIds: number[],
  dumps: Dumps = {},
  keptStates?: number,
): Promise<TestAnvils> {
  const ports = await freePorts(chainIds.length)
  const anvils = await Promise.all(
    chainIds.map((chainId, index) => {
      const loadFile = dumps[chainId]
      const port = ports[index] ?? 0
      return startAnvil({
        chainId,
        port,
        ...(loadFile && { loadFile }),
        ...(keptStates && { keptStates }),
      })
    }),
  )
  return {
    rpcUrls: Object.fromEntries(anvils.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])),
    wsUrls: Object.fromEntries(anvils.map(({ chainId, wsUrl }) => [chainId, wsUrl])),
    async stop() {
      await Promise.all(anvils.map((anvil) => anvil.stop()))
    },
  }
}
