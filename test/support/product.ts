import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../devnet/world.ts'
import { startTestWorld, type TestWorldOptions } from './anvils.ts'
import { freePorts } from './freePorts.ts'
import { startTestIndexer } from './indexer.ts'

export type TestProduct = {
  world: World
  wsUrls: Record<number, string>
  /** Of the api. */
  url: string
  indexer: Awaited<ReturnType<typeof startTestIndexer>>
  stop(): Promise<void>
}

export type TestProductOptions = TestWorldOptions & {
  databaseUrl: string
  /** What the api connects to, if not to that. */
  apiDatabaseUrl?: string
}

const START_MS = 40_000

/** All of the product over chains 1 and 4663, every process real: nodes, indexer, api. No bots. */
export async function startTestProduct(options: TestProductOptions): Promise<TestProduct> {
  const { databaseUrl, apiDatabaseUrl = databaseUrl } = options
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const { world, addressBook, wsUrls, stop: stopWorld } = await startTestWorld(undefined, options)
    stops.push(stopWorld)
    const { rpcUrls } = world
    const chainIds = Object.keys(rpcUrls).map(Number)
    const indexer = await startTestIndexer({ databaseUrl, addressBook, chainIds, rpcUrls, wsUrls })
    stops.push(indexer.stop)
    const api = await startApi({
      DATABASE_URL: apiDatabaseUrl,
      ADDRESS_BOOK: indexer.addressBook,
      ...Object.fromEntries(Object.entries(rpcUrls).map(([id, rpc]) => [`RPC_URL_${id}`, rpc])),
    })
    stops.push(api.stop)
    await untilLevel(api.url, () => `${indexer.output()}\n${api.output()}`)
    return { world, wsUrls, url: api.url, indexer, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The api process, over what its variables name; stops by SIGTERM. */
export async function startApi(environment: Record<string, string>) {
  const [port = 0] = await freePorts(1)
  const child = spawn(process.execPath, ['processes/api.ts'], {
    env: {
      PATH: process.env.PATH,
      APP_SECRET: randomBytes(32).toString('hex'),
      API_PORT: String(port),
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += String(data)
    })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Until an order that nobody knows is a 404: every chain can be answered from then. */
async function untilLevel(url: string, output: () => string) {
  const deadline = Date.now() + START_MS
  const unknown = `${url}/v1/transit/orders/0x${'00'.repeat(32)}`
  while (Date.now() < deadline) {
    const response = await fetch(unknown).catch(() => null)
    if (response?.status === 404) return
    await sleep(50)
  }
  throw new Error(`The product does not come up:\n${output()}`)
}
