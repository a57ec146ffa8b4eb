import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { DEVNET_KEEPER_KEY } from '../../devnet/accounts.ts'

export type WorkerProcess = {
  output(): string
  /** Ends it at once, with no chance to tidy up. */
  kill(): Promise<void>
  stop(): Promise<void>
}

export type WorkerProcessOptions = {
  databaseUrl: string
  /** The file's path. */
  addressBook: string
  rpcUrls: Record<number, string>
  appSecret: string
  variables?: Record<string, string>
}

/** The real worker process, with the local world's keeper. */
export function startWorkerProcess(options: WorkerProcessOptions): WorkerProcess {
  const nodes = Object.entries(options.rpcUrls).map(([id, url]) => [`RPC_URL_${id}`, url])
  const child = spawn(process.execPath, ['processes/worker.ts'], {
    env: {
      PATH: process.env.PATH,
      APP_SECRET: options.appSecret,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      DATABASE_URL: options.databaseUrl,
      ADDRESS_BOOK: options.addressBook,
      SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
      LOG_LEVEL: 'info',
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
    output: () => output,
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
