import { join } from 'node:path'
import { startAnvil } from '../../devnet/anvil.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { devnetClient, type World } from '../../devnet/world.ts'
import { type AddressBookFile, parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { freePorts } from './freePorts.ts'

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
  /** Seconds between blocks once all is deployed; without it a block is made for each transaction. */
  blockTimeSeconds?: number
  /** Also the vaults of these chains. */
  withVaults?: boolean
}

/** Nodes on free ports with the local world deployed. Whoever starts them stops them. */
export async function startTestWorld(
  chainIds: number[] = [1, 4663],
  { blockTimeSeconds, withVaults = false }: TestWorldOptions = {},
): Promise<TestWorld> {
  const { rpcUrls, wsUrls, stop } = await startTestAnvils(chainIds)
  try {
    const addressBook = await deployWorld({ rpcUrls, cacheFolder: ARTIFACTS, withVaults })
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

const ARTIFACTS = join(import.meta.dirname, '..', '..', '.causeway', 'artifacts')

/** Automining nodes on free ports, one per chain id. Whoever starts them stops them. */
export async function startTestAnvils(chainIds: number[]): Promise<TestAnvils> {
  const ports = await freePorts(chainIds.length)
  const anvils = await Promise.all(
    chainIds.map((chainId, index) => startAnvil({ chainId, port: ports[index] ?? 0 })),
  )
  return {
    rpcUrls: Object.fromEntries(anvils.map(({ chainId, rpcUrl }) => [chainId, rpcUrl])),
    wsUrls: Object.fromEntries(anvils.map(({ chainId, wsUrl }) => [chainId, wsUrl])),
    async stop() {
      await Promise.all(anvils.map((anvil) => anvil.stop()))
    },
  }
}
