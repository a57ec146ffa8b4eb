import { isList, OPERATIONS, type ShownOperation } from './operations.ts'
import { requestParameters } from './requestParameters.ts'
import type { Exchange } from './step.ts'

/** Numbers of REST that are no amounts. */
const PLAIN = /(chainId|pageSize|Seconds|Bps)$/i

/** A request as a call of the client. */
export function writeTypescript(operation: ShownOperation, exchange: Exchange): string {
  const lines = requestParameters(exchange).map(
    ([name, value]) => `  ${name}: ${literal(name, value)},\n`,
  )
  const given = lines.length > 0 ? `{\n${lines.join('')}}` : ''
  const page = isList(operation) ? '.page()' : ''
  return `import { createCausewayClient } from '@causeway/sdk'

const causeway = createCausewayClient({ url: '${new URL(exchange.url).origin}', apiKey })
const answer = await causeway.${OPERATIONS[operation].client}(${given})${page}`
}

function literal(name: string, value: string): string {
  if (value === 'true' || value === 'false') return value
  if (/^\d+$/.test(value)) return PLAIN.test(name) ? value : `${value}n`
  return `'${value.replaceAll("'", "\\'")}'`
}
