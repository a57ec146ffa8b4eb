import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Anvil, AnvilError, startAnvil } from '../../devnet/anvil.ts'
import { listProcesses } from '../../devnet/processTable.ts'
import { devnetClient } from '../../devnet/world.ts'
import { freePorts } from '../support/freePorts.ts'
import { isAlive } from '../support/isAlive.ts'

const chainId = 4663

let started: Anvil[]
beforeEach(() => {
  started = []
})
afterEach(async () => {
  await Promise.all(started.map((anvil) => anvil.stop()))
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

  test('behavior: with a block time, blocks come by themselves', async () => {
    const client = clientOf(await start({ port: await freePort(), blockTimeSeconds: 1 }))
    await expect.poll(() => client.getBlockNumber()).toBeGreaterThan(0n)
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

  test('error: a node that does nothing is given up, and none is left', async () => {
    // Accepts the connection of the node and never answers.
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port: silentPort } = silent.address() as AddressInfo
    const port = await freePort()
    const forkUrl = `http://127.0.0.1:${silentPort}`
    const failure = startAnvil({ chainId, port, forkUrl, quietMs: 500 })
    await expect(failure).rejects.toThrow(
      /it does nothing. The last request to it failed: .*(timeout|ECONNREFUSED)/,
    )
    const nodes = (await listProcesses()).filter(({ command }) => command.includes(forkUrl))
    expect(nodes).toEqual([])
    silent.close()
  })

  test('error: a node that ends instead of answering is quoted', async () => {
    const options = { chainId, port: await freePort(), forkUrl: 'no url' }
    const failure = startAnvil(options)
    await expect(failure).rejects.toThrow(AnvilError)
    await expect(failure).rejects.toThrow(/no url/)
  })
})

async function start(options: { port: number; blockTimeSeconds?: number }) {
  const anvil = await startAnvil({ chainId, ...options })
  started.push(anvil)
  return anvil
}

function clientOf({ rpcUrl }: Anvil) {
  return devnetClient(chainId, rpcUrl)
}

async function freePort(): Promise<number> {
  const [port] = await freePorts(1)
  return port ?? 0
}
