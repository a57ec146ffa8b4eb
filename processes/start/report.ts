import { join, relative } from 'node:path'
import type { RunFile } from './runFile.ts'

type ReportOptions = {
  dataDirectory: string
  /** An existing order for the examples, or null. */
  orderId: string | null
  elapsed: string
  /** The local attestation provider; null without local nodes. */
  attestationUrl: string | null
}

/** The final output of a start: URLs, an API key, and example calls to paste. */
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
    `Causeway is ready after ${elapsed}. Ctrl-C stops it. The data stays in ${folder}; npm run reset deletes it.`,
    '',
    `  Console         ${run.consoleUrl}`,
    `  Documentation   ${run.apiUrl}/docs`,
    `  REST            ${run.apiUrl}`,
    `  GraphQL         ${run.graphqlUrl}`,
    `  API key         ${run.apiKey}`,
    ...nodes,
    ...(attestationUrl ? [`  attestations    ${attestationUrl}`] : []),
    '',
    `  As JSON, with all accounts: ${join(folder, 'run.json')}`,
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
