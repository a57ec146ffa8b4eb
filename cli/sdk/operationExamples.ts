import { readFileSync } from 'node:fs'
import type { JsonSchema } from '../../api/rest/jsonSchema.ts'
import { DEVNET_USERS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import type { FilterKeys } from '../../domain/filter/filter.ts'
import { type Operation, operationsOf, propertiesOf, schemasOf } from './openApi.ts'
import type { NamedOperation } from './sdkActions.ts'
import { valueKind } from './valueKind.ts'

type Example = { request: string; requestBody?: Record<string, unknown> }

/** Lists are read by `take`, and the client asks for whole answers itself. */
const LEFT_OUT = ['pageSize', 'responseFormat']
/** The operations without an example of their answer, and what they are asked. */
const ASKED: Record<string, Example['requestBody']> = {
  getHealth: {},
  getReady: {},
  runGraphql: { query: '{ vaults { vaults { name } } }' },
}

/** The addresses of the examples that have a name on the page. */
const NAMES = new Map<unknown, string>([
  [DEVNET_USERS[0]?.address, 'account.address'],
  [DEPLOYMENT.tokens.USDC, 'USDC'],
  [DEPLOYMENT.tokens.USDG, 'USDG'],
])

/** The calls that docs/client.md shows of an operation: its function, and the query of its options. */
export function operationExamples(
  document: JsonSchema,
  { operationId, function: called, options, maker }: NamedOperation,
): string[] {
  const found = operationsOf(document).find((operation) => operation.operationId === operationId)
  if (!found) throw new Error(`Invariant(operationExamples): no operation ${operationId}`)
  const schemas = schemasOf(document)
  const sent = exampleOf(found)
  const ids = sent.names.map((name) => (name === 'id' ? `id: ${nounOf(called)}Id` : name))
  const values = sent.values.map(
    ([name, value]) => `${name}: ${textOf(found, schemas, { name, value })}`,
  )
  const parts = [...ids, ...values]
  const given = parts.length === 0 ? '' : `, { ${parts.join(', ')} }`
  const call = `await ${called}(connection${given})`
  if (!options) return [call]
  const fetched = maker === 'list' ? 'fetchInfiniteQuery' : 'fetchQuery'
  const query = `await queryClient.${fetched}(${options}(connection${given}))`
  return [maker === 'list' ? `${call}.take(2)` : call, query]
}

type Sent = {
  /** Parameters that the page only names: ids, which each world has of its own. */
  names: string[]
  values: [name: string, value: unknown][]
}

/** The parameters with which the request in docs/examples was sent. */
function exampleOf({ operationId, parameters = [] }: Operation): Sent {
  const names = parameters
    .filter((one) => one.in === 'path' || one.name === 'txHash')
    .map(({ name }) => name)
  const asked = ASKED[operationId] ?? sentValues(operationId)
  const isShown = (name: string) => !LEFT_OUT.includes(name) && !names.includes(name)
  return { names, values: Object.entries(asked).filter(([name]) => isShown(name)) }
}

function sentValues(operationId: string): Record<string, unknown> {
  const file = new URL(`../../docs/examples/${operationId}.json`, import.meta.url)
  const { request, requestBody } = JSON.parse(readFileSync(file, 'utf8')) as Example
  const { searchParams } = new URL(request.split(' ')[1] ?? '', 'http://api.test')
  return { ...Object.fromEntries(searchParams), ...requestBody }
}

/** `journey` of `getJourney`. */
function nounOf(called: string): string {
  return called.replace(/^[a-z]+([A-Z])/, (_, first: string) => first.toLowerCase())
}

/** A value as a program writes it. Those of a query are text. */
function textOf(
  { parameters = [], requestBody }: Operation,
  schemas: Record<string, JsonSchema>,
  { name, value }: { name: string; value: unknown },
): string {
  const parameter = parameters.find((one) => one.name === name)
  const keys = parameter?.['x-filter-keys']
  if (keys) return filterText(keys, String(value))
  const body = requestBody?.content['application/json']?.schema ?? {}
  return literal(parameter?.schema ?? propertiesOf(body, schemas)[name] ?? {}, value)
}

/** An expression of equal keys, as data. */
function filterText(keys: FilterKeys, expression: string): string {
  const conditions = expression.split(' AND ').map((condition) => {
    const [key = '', text = ''] = condition.split(' = ')
    // The example has the id of a key that only its own world had.
    if (key === 'publicId') return key
    const isNumber = keys[key]?.type === 'integer'
    return `${key}: ${isNumber ? text : shown(text.replaceAll('"', ''))}`
  })
  return `{ ${conditions.join(', ')} }`
}

function literal(schema: JsonSchema, value: unknown): string {
  const kind = valueKind(schema)
  if (kind === 'amount') return `${grouped(String(value))}n`
  if (kind === 'unixTime' || schema.type === 'integer') return grouped(String(value))
  return Array.isArray(value) ? `[${value.map(shown).join(', ')}]` : shown(value)
}

function shown(value: unknown): string {
  return NAMES.get(value) ?? (typeof value === 'string' ? `'${value}'` : JSON.stringify(value))
}

/** `2_000_000`, and 4663. */
function grouped(digits: string): string {
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, '_')
}
