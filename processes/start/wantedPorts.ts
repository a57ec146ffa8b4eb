import type { z } from 'zod'
import { type WantedPort, wantedPort } from '../configuration/ports.ts'
import type { startVariables } from '../environment.ts'
import { localNodePorts } from './localNodes.ts'

const LOOPBACK = '127.0.0.1'

/** The ports of all parts that `npm start` runs. A variable that is absent here wants none. */
export function wantedPorts(
  environment: Partial<z.output<typeof startVariables>>,
  isLocal: boolean,
): WantedPort[] {
  const { API_PORT, API_HOST, METRICS_HOST, POSTGRES_PORT, ANVIL_BASE_PORT } = environment
  const metrics = (
    ['METRICS_PORT', 'WORKER_METRICS_PORT', 'INDEXER_METRICS_PORT'] as const
  ).flatMap((variable) =>
    wantedPort({
      variable,
      port: environment[variable],
      host: METRICS_HOST,
      hostVariable: 'METRICS_HOST',
    }),
  )
  const { ATTESTATION_PORT } = environment
  const local = [
    ...(ANVIL_BASE_PORT ? localNodePorts(ANVIL_BASE_PORT) : []),
    ...wantedPort({
      variable: 'ATTESTATION_PORT',
      port: ATTESTATION_PORT,
      host: LOOPBACK,
      isFetched: true,
    }),
  ]
  return [
    ...wantedPort({
      variable: 'API_PORT',
      port: API_PORT,
      host: API_HOST,
      hostVariable: 'API_HOST',
      isFetched: true,
    }),
    ...metrics,
    ...(environment.DATABASE_URL
      ? []
      : wantedPort({ variable: 'POSTGRES_PORT', port: POSTGRES_PORT, host: LOOPBACK })),
    ...(isLocal ? local : []),
  ]
}
