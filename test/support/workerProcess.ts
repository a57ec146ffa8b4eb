import { randomBytes } from 'node:crypto'
import { DEVNET_KEEPER_KEY } from '../../devnet/accounts.ts'
import { type ServiceProcessOptions, startServiceProcess } from './serviceProcess.ts'

export type WorkerProcess = {
  output(): string
  /** Kills it without a clean stop. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The real worker process, with the local world's keeper. */
export function startWorkerProcess(options: ServiceProcessOptions): WorkerProcess {
  const { output, end } = startServiceProcess('worker', {
    ...options,
    variables: {
      SECRETS_KEY: randomBytes(32).toString('hex'),
      SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
      LOG_LEVEL: 'info',
      ...options.variables,
    },
  })
  return { output, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
