import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { transitStationAbi } from '../../abis/transitStation.ts'
import { deployWorld } from '../../devnet/deployWorld.ts'
import { type KeptAnvil, startKeptAnvil } from '../../devnet/keptAnvil.ts'
import { placeOrder } from '../../devnet/placeOrder.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { parseAddressBook } from '../../domain/addressBook/addressBook.ts'
import { startTestAnvils, type TestAnvils } from '../support/anvils.ts'
import { until } from '../support/until.ts'
import { station, tokens, user } from './stationWorld.ts'

const ROOT = join(import.meta.dirname, '..', '..')

let folder: string
let source: TestAnvils
let destination: KeptAnvil
let world: World
let bots: ChildProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-bots-'))
  source = await startTestAnvils([1])
  destination = await startDestination(0)
  const rpcUrls = { ...source.rpcUrls, 4663: destination.rpcUrl }
  const file = await deployWorld({ rpcUrls })
  const path = join(folder, 'address-book.json')
  await writeFile(path, JSON.stringify(file))
  world = { rpcUrls, addressBook: parseAddressBook(file, path) }
  bots = startBots(path)
})
afterEach(async () => {
  bots.kill('SIGKILL')
  await Promise.all([source.stop(), destination.stop()])
  await rm(folder, { recursive: true, force: true })
})

describe('the process of the bots', () => {
  test('behavior: a node that is down for a while is waited for; SIGTERM ends it at once', async () => {
    const first = await order()
    await untilFilled(first)
    const port = Number(new URL(destination.rpcUrl).port)
    await destination.stop()
    const second = await order()
    await sleep(700)
    destination = await startDestination(port)
    await untilFilled(second)

    const stoppedAt = Date.now()
    bots.kill('SIGTERM')
    expect(await once(bots, 'exit')).toEqual([0, null])
    expect(Date.now() - stoppedAt).toBeLessThan(1_000)
  })
})

/** Chain 4663, continued from its saved state. Port 0: any. */
async function startDestination(port: number): Promise<KeptAnvil> {
  const chosen = port || Number(new URL(await freeUrl()).port)
  const stateFile = join(folder, '4663.json.gz')
  const keptStates = 35
  const anvil = await startKeptAnvil({ chainId: 4663, port: chosen, stateFile, keptStates })
  anvil.keep()
  return anvil
}

async function freeUrl(): Promise<string> {
  const { rpcUrls, stop } = await startTestAnvils([4663])
  await stop()
  return rpcUrls[4663] ?? ''
}

function startBots(addressBook: string): ChildProcess {
  const nodes = Object.entries(world.rpcUrls).map(([id, url]) => [`RPC_URL_${id}`, url])
  return spawn(process.execPath, [join(ROOT, 'devnet', 'bots.ts')], {
    env: { ...process.env, ...Object.fromEntries(nodes), ADDRESS_BOOK: addressBook },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function order() {
  const { orderId } = await placeOrder(world, {
    user: user(),
    sourceChainId: 1,
    destinationChainId: 4663,
    offerAsset: tokens.USDC,
    wantAsset: tokens.USDG,
    offerAmount: 5_000_000n,
  })
  return orderId
}

async function untilFilled(orderId: `0x${string}`) {
  const client = worldClient(world, 4663)
  const contract = { address: station, abi: transitStationAbi, args: [orderId] } as const
  await until(async () => {
    const hasArrived = await client.readContract({ ...contract, functionName: 'usedDigests' })
    const isOpen = await client.readContract({
      ...contract,
      functionName: 'pendingOrderIdsContains',
    })
    return hasArrived && !isOpen
  })
}
