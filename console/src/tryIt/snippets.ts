import { GRAPHQL_CALLS } from '../generated/graphqlCalls.ts'
import { isList, OPERATIONS, type ShownOperation } from './operations.ts'
import type { Exchange } from './step.ts'

/** A request as a command of a shell. Transit needs no key. */
export function writeCurl({ method, url, body }: Exchange): string {
  const isTransit = /\/(v1\/transit|v3\/core)\//.test(url)
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...(isTransit ? [] : [`-H "x-api-key: $API_KEY"`]),
    ...(body === null ? [] : [`-H 'content-type: application/json'`, `-d ${quoted(body)}`]),
  ].join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

type Arguments = Record<string, { name: string; isText: boolean }>

/** A request as the GraphQL operation that answers the same. */
export function writeGraphql(operation: ShownOperation, exchange: Exchange): string {
  const { field, selection, ...call } = GRAPHQL_CALLS[operation]
  // Each operation has its own names; they are looked up by those of the request.
  const known: Arguments = call.arguments
  const lines = requestParameters(exchange).flatMap(([name, value]) => {
    const argument = known[name]
    return argument ? [`${argument.name}: ${argument.isText ? JSON.stringify(value) : value}`] : []
  })
  const given = lines.length > 0 ? `(\n${lines.map((line) => `    ${line}\n`).join('')}  )` : ''
  return `{\n  ${field}${given} ${indented(selection)}\n}`
}

function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

/** Numbers of REST that are no amounts. */
const PLAIN = /(chainId|pageSize|Seconds|Bps)$/i

/** A request as a call of the client. */
export function writeTypescript(operation: ShownOperation, exchange: Exchange): string {
  const parameters = requestParameters(exchange)
  // The client has a function of its own for it.
  const isIndicative = parameters.some(([name]) => name === 'indicative')
  const lines = parameters.flatMap(([name, value]) =>
    name === 'indicative' ? [] : [`  ${name}: ${literal(name, value)},\n`],
  )
  const given = lines.length > 0 ? `{\n${lines.join('')}}` : ''
  const page = isList(operation) ? '.page()' : ''
  return `import { createCausewayClient } from '@causeway/sdk'

const causeway = createCausewayClient({ url: '${new URL(exchange.url).origin}', apiKey })
const answer = await causeway.${isIndicative ? 'transit.indicativeQuote' : OPERATIONS[operation].client}(${given})${page}`
}

function literal(name: string, value: string): string {
  if (value === 'true' || value === 'false') return value
  if (/^\d+$/.test(value)) return PLAIN.test(name) ? value : `${value}n`
  return `'${value.replaceAll("'", "\\'")}'`
}

/** Paths that end in a parameter, by the name of the parameter. */
const PATHS: Record<string, string> = {
  getTransitOrder: 'orderId',
  getJourney: 'id',
  getWithdrawalRequest: 'id',
}

/** The parameters of a request as text, by their names in REST. */
function requestParameters({ operation, url }: Exchange): [name: string, value: string][] {
  const { pathname, searchParams } = new URL(url)
  const name = PATHS[operation]
  const last = decodeURIComponent(pathname.split('/').at(-1) ?? '')
  const first: [string, string][] = name ? [[name, last]] : []
  return [...first, ...searchParams]
}
