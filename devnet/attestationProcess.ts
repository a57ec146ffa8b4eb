import { createLogger } from '../processes/logger.ts'
import { startAttestationServer } from './attestations.ts'
import { worldFromEnvironment } from './worldFromEnvironment.ts'

/** The outside providers of local nodes. Needs ADDRESS_BOOK, RPC_URL_<chainId>, ATTESTATION_PORT and ATTESTATION_API_KEY. */
const { url } = await startAttestationServer({
  world: await worldFromEnvironment(process.env),
  port: Number(process.env.ATTESTATION_PORT),
  apiKey: process.env.ATTESTATION_API_KEY ?? '',
})
createLogger('attestations', process.env.LOG_LEVEL || 'info').info({ url }, 'listening')
for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => process.exit(0))
