import { join, relative } from 'node:path'
import type { RunFile } from './runFile.ts'

type ReportOptions = {
  dataDirectory: string
  /** An order to ask for, if there is any. */
  orderId: string | null
  elapsed: string
  /** Where the local world's attestation provider listens; null without a local world. */
  attestationUrl: string | null
}

/** The table a start ends in: where everything is, a key, and calls that work as pasted. */
export function report(
  run: RunFile,
  { dataDirectory, orderId, elapsed, attestationUrl }: ReportOptions,
): string {
  const folder = shortPath(dataDirectory)
  const [account] = run.accounts
  const orderPath = orderId ? `/v1/transit/orders/${orderId}` : '/health'
  const nodes = Object.entries(run.rpcUrls).map(([id, url]) => `  chain ${id.padEnd(9)} ${url}`)
  const listPath = account
    ? `/v1/transit/orders?userAddress=${account.address}&pageSize=2`
    : '/ready'
  return [
    '',
    `Causeway is up after ${elapsed}. Ctrl-C ends it; the data stays in ${folder} (npm run reset forgets it).`,
    '',
    `  REST            ${run.apiUrl}`,
    `  GraphQL         ${run.graphqlUrl}`,
    `  API key         ${run.apiKey}`,
    ...nodes,
    ...(attestationUrl ? [`  attestations    ${attestationUrl}`] : []),
    '',
    `  all of it as JSON: ${join(folder, 'run.json')}`,
    '',
    'Try:',
    '',
    `  curl -s ${run.apiUrl}${orderPath}`,
    `  curl -s '${run.apiUrl}${listPath}' -H 'x-api-key: ${run.apiKey}'`,
    `  curl -s '${run.apiUrl}/v1/transit/routes?pageSize=1'`,
    `  curl -s '${run.apiUrl}/v2/earn/vaults?pageSize=1' -H 'x-api-key: ${run.apiKey}'`,
    `  curl -s ${run.graphqlUrl} -H 'content-type: application/json' -d '{"query":"{ _meta { chains { chainId head isSynced block { number } } } }"}'`,
    '',
  ].join('\n')
}

function shortPath(path: string): string {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
