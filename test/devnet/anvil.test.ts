import { once } from 'node:events'
import { mkdtemp, rm, stat, truncate } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Anvil, AnvilError, startAnvil } from '../../devnet/anvil.ts'
import { devnetClient } from '../../devnet/world.ts'
import { freePorts } from '../support/freePorts.ts'

const HOLDER = `0x${'c0'.repeat(20)}` as const
const chainId = 4663

let folder: string
let started: Anvil[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-anvil-'))
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((anvil) => anvil.stop()))
  await rm(folder, { recursive: true, force: true })
})

describe('startAnvil', () => {
  test('default: a node that answers; once stopped, no process is left', async () => {
    const anvil = await start({ port: await freePort() })
    expect(await clientOf(anvil).getChainId()).toBe(chainId)
    expect(isAlive(anvil.pid)).toBe(true)
    await anvil.stop()
    expect(isAlive(anvil.pid)).toBe(false)
    await anvil.stop()
  })

  test('behavior: blocks and balances outlive the node', async () => {
    const port = await freePort()
    const stateFile = join(folder, 'state.json')
    const first = await start({ port, stateFile })
    await clientOf(first).setBalance({ address: HOLDER, value: parseEther('7') })
    await clientOf(first).mine({ blocks: 3 })
    await first.stop()

    const client = clientOf(await start({ port, stateFile }))
    expect(await client.getBlockNumber()).toBe(3n)
    expect(await client.getBalance({ address: HOLDER })).toBe(parseEther('7'))
    await client.mine({ blocks: 1 })
    expect(await client.getBlockNumber()).toBe(4n)
    expect(await client.getBalance({ address: HOLDER, blockNumber: 2n })).toBe(parseEther('7'))
  })

  test('behavior: half of a state is not started from, the whole one before it is', async () => {
    const port = await freePort()
    const stateFile = join(folder, 'torn.json')
    const first = await start({ port, stateFile })
    await clientOf(first).mine({ blocks: 3 })
    await first.stop()
    const second = await start({ port, stateFile })
    await clientOf(second).mine({ blocks: 2 })
    await second.stop()
    await truncate(`${stateFile}.next`, (await stat(`${stateFile}.next`)).size - 1)

    const client = clientOf(await start({ port, stateFile }))
    expect(await client.getBlockNumber()).toBe(3n)
  })

  test('behavior: with a block time, blocks come by themselves', async () => {
    const client = clientOf(await start({ port: await freePort(), blockTimeSeconds: 1 }))
    await expect.poll(() => client.getBlockNumber(), { timeout: 4_000 }).toBeGreaterThan(0n)
  })

  test('error: something else listens on the port', async () => {
    const holder = createServer().listen(await freePort(), '127.0.0.1')
    await once(holder, 'listening')
    const { port } = holder.address() as AddressInfo
    const failure = start({ port })
    await expect(failure).rejects.toThrow(AnvilError)
    await expect(failure).rejects.toThrow(`port ${port}`)
    holder.close()
  })

  test('error: a node of the same chain has the port', async () => {
    const port = await freePort()
    await start({ port })
    await expect(start({ port })).rejects.toThrow(AnvilError)
  })

  test('error: a node that ends instead of answering is quoted', async () => {
    const options = { chainId, port: await freePort(), forkUrl: 'no url' }
    const failure = startAnvil(options)
    await expect(failure).rejects.toThrow(AnvilError)
    await expect(failure).rejects.toThrow(/no url/)
  })
})

async function start(options: { port: number; stateFile?: string; blockTimeSeconds?: number }) {
  const anvil = await startAnvil({ chainId, ...options })
  started.push(anvil)
  return anvil
}

function clientOf({ rpcUrl }: Anvil) {
  return devnetClient(chainId, rpcUrl)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port ?? 0
}
