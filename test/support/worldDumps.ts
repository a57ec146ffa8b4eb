import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { startAnvil } from '../../devnet/anvil.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { dumpState } from '../../devnet/dumpState.ts'
import { freePorts } from './freePorts.ts'

export type DumpOptions = {
  /** Where the dumps of this run of the tests are. */
  folder: string
  withVaults: boolean
}

/**
 * The file with the state of one chain of the local world, with the states of its older blocks. It is
 * written on first use. Two workers may both write it at first: they write the same, each in one move.
 */
export async function dumpedChain(chainId: number, options: DumpOptions): Promise<string> {
  const { folder, withVaults } = options
  const file = join(folder, `${chainId}-${withVaults ? 'with' : 'without'}-vaults.json`)
  if (existsSync(file)) return file
  const [port = 0] = await freePorts(1)
  const { rpcUrl, stop } = await startAnvil({ chainId, port })
  try {
    await deployWorld({ rpcUrls: { [chainId]: rpcUrl }, withVaults })
    const state = await dumpState({ chainId, rpcUrl }, true)
    const unfinished = `${file}.${randomUUID()}`
    await writeFile(unfinished, await promisify(gunzip)(state))
    await rename(unfinished, file)
  } finally {
    await stop()
  }
  return file
}
