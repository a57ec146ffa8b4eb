import type { z } from 'zod'
import { type WantedPort, wantedPort } from '../configuration/ports.ts'
import type { startVariables } from '../environment.ts'
import { localNodePorts } from './localNodes.ts'

/** The ports of all parts that `npm start` runs. A variable that is absent here wants none. */
export function wantedPorts(
  environment: Partial<z.output<typeof startVariables>>,
  isLocal: boolean,
): WantedPort[] {
  const { POSTGRES_PORT, ANVIL_BASE_PORT, ATTESTATION_PORT, DATABASE_URL } = environment
  const metrics = (
    ['METRICS_PORT', 'WORKER_METRICS_PORT', 'INDEXER_METRICS_PORT'] as const
  ).flatMap((variable) => wantedPort(environment, variable, 'METRICS_HOST'))
  return [
    ...fetched(wantedPort(environment, 'API_PORT', 'API_HOST')),
    ...metrics,
    ...(DATABASE_URL ? [] : atLoopback('POSTGRES_PORT', POSTGRES_PORT)),
    ...(isLocal && ANVIL_BASE_PORT ? localNodePorts(ANVIL_BASE_PORT) : []),
    ...(isLocal ? fetched(atLoopback('ATTESTATION_PORT', ATTESTATION_PORT)) : []),
  ]
}

function atLoopback(variable: string, port: number | undefined): WantedPort[] {
  return port === undefined ? [] : [{ variable, port, host: '127.0.0.1' }]
}

function fetched(wanted: WantedPort[]): WantedPort[] {
  return wanted.map((one) => ({ ...one, isFetched: true }))
}
