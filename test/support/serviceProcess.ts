import { spawn } from 'node:child_process'
import { asProcessRole } from './databaseRole.ts'

export type ServiceProcess = {
  pid: number
  /** Resolves when it has ended, by itself too. */
  ended: Promise<void>
  output(): string
  /** Sends a signal and resolves when it has ended. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** The variables of every process of the service. */
export type ServiceProcessOptions = {
  /** The owner's URL. */
  databaseUrl: string
  /** The file's path. */
  addressBook: string
  rpcUrls: Record<number, string>
  appSecret: string
  variables?: Record<string, string>
}

/** One of the real processes, under its database role, with only the path and the compile cache of this one's environment. */
export function startServiceProcess(
  name: 'api' | 'worker',
  options: ServiceProcessOptions,
): ServiceProcess {
  const nodes = Object.entries(options.rpcUrls).map(([id, url]) => [`RPC_URL_${id}`, url])
  const child = spawn(process.execPath, [`processes/${name}.ts`], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      APP_SECRET: options.appSecret,
      DATABASE_URL: asProcessRole(options.databaseUrl, name),
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
    pid: child.pid ?? 0,
    ended,
    output: () => output,
    async end(signal) {
      child.kill(signal)
      await ended
    },
  }
}
