import { randomBytes } from 'node:crypto'
import { DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import { freePorts } from './freePorts.ts'
import { refuseSecrets } from './handedOut.ts'
import {
  type ServiceProcess,
  type ServiceProcessOptions,
  startServiceProcess,
} from './serviceProcess.ts'
import { until } from './until.ts'

export type ApiProcess = Omit<ServiceProcess, 'end'> & {
  url: string
  stop(): Promise<void>
  kill(): Promise<void>
}

/** The real API process, on a free port if none is given. */
export async function startApiProcess(
  options: ServiceProcessOptions & { port?: number },
): Promise<ApiProcess> {
  const [free = 0] = await freePorts(1)
  const port = options.port ?? free
  const { end, ...process } = startServiceProcess('api', {
    ...options,
    variables: {
      NODE_ENV: 'production',
      SECRETS_KEY: randomBytes(32).toString('hex'),
      API_PORT: String(port),
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
      // Most tests send more requests than the limit without a key.
      RATE_LIMITS: 'off',
      QUOTE_SIGNER_PRIVATE_KEY: DEVNET_QUOTE_SIGNER_KEY,
      ...options.variables,
    },
  })
  return {
    url: `http://127.0.0.1:${port}`,
    ...process,
    async stop() {
      await end('SIGTERM')
      refuseSecrets(process.output(), 'the log of an api')
    },
    kill: () => end('SIGKILL'),
  }
}

/** Waits until it is ready. */
export async function untilReady({ url, output }: ApiProcess) {
  await until(
    // The server does not listen yet.
    async () => (await fetch(`${url}/ready`).catch(() => null))?.ok ?? false,
    () => `The api does not come up:\n${output()}`,
  )
}

/** Waits until an unknown order is a 404: then every chain with a station answers. */
export async function untilAnswering(url: string, output: () => string) {
  const unknown = `${url}/v1/transit/orders/0x${'00'.repeat(32)}`
  let last = 'no answer'
  await until(
    async () => {
      const response = await fetch(unknown).catch(() => null)
      last = response ? `${response.status} ${await response.text()}` : 'no answer'
      return response?.status === 404
    },
    () => `The product does not come up: ${last}\n${output()}`,
  )
}
