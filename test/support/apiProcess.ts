import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import { freePorts } from './freePorts.ts'
import { refuseSecrets } from './handedOut.ts'

export type ApiProcess = {
  url: string
  output(): string
  stop(): Promise<void>
}

type ApiProcessOptions = {
  databaseUrl: string
  /** The file's path. */
  addressBook: string
  rpcUrls: Record<number, string>
  appSecret: string
  port?: number
  /** Beyond those that every test needs. */
  variables?: Record<string, string>
}

const START_MS = 40_000

/** The real api process, on a free port where none is given. */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const [free = 0] = await freePorts(1)
  const port = options.port ?? free
  const nodes = Object.entries(options.rpcUrls).map(([id, url]) => [`RPC_URL_${id}`, url])
  const child = spawn(process.execPath, ['processes/api.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      APP_SECRET: options.appSecret,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      API_PORT: String(port),
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
      // Most tests ask more than anybody without a key may.
      RATE_LIMITS: 'off',
      QUOTE_SIGNER_PRIVATE_KEY: DEVNET_QUOTE_SIGNER_KEY,
      DATABASE_URL: options.databaseUrl,
      ADDRESS_BOOK: options.addressBook,
      ...Object.fromEntries(nodes),
      ...options.variables,
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
      refuseSecrets(output, 'the log of an api')
    },
  }
}

/** Until it is ready to be asked. */
export async function untilReady({ url, output }: ApiProcess) {
  const deadline = Date.now() + START_MS
  // Nobody listens at first.
  while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) {
    if (Date.now() > deadline) throw new Error(`The api does not come up:\n${output()}`)
    await sleep(50)
  }
}

/** Until an order that nobody knows is a 404: every chain of stations can be answered from then. */
export async function untilAnswering(url: string, output: () => string) {
  const deadline = Date.now() + START_MS
  const unknown = `${url}/v1/transit/orders/0x${'00'.repeat(32)}`
  while (Date.now() < deadline) {
    const response = await fetch(unknown).catch(() => null)
    if (response?.status === 404) return
    await sleep(50)
  }
  throw new Error(`The product does not come up:\n${output()}`)
}
