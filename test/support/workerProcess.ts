import { randomBytes } from 'node:crypto'
import { DEVNET_KEEPER_KEY } from '../../devnet/accounts.ts'
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from './serviceProcess.ts'

export type WorkerProcess = Omit<ServiceProcess, 'end'> & {
  /** Kills it without a clean stop. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** The real worker process, with the local world's keeper. */
export function startWorkerProcess(options: ServiceProcessOptions): WorkerProcess {
  const { end, ...process } = startServiceProcess('worker', {
    ...options,
    variables: {
      SECRETS_KEY: randomBytes(32).toString('hex'),
      SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
      LOG_LEVEL: 'info',
      ...options.variables,
    },
  })
  return { ...process, kill: () => end('SIGKILL'), stop: () => end('SIGTERM') }
}
