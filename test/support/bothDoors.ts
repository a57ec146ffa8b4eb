import { ask } from './ask.ts'
import { getJson } from './getJson.ts'

/** A read that REST serves at a path and GraphQL as a field. */
export type Field = {
  path: string
  field: string
  selection: string
  /** The GraphQL types of the arguments. */
  types: Record<string, string>
  /** The member of the REST body with the field's value; by default the whole body. */
  member?: string
  /** Whether `responseFormat` selects parts of the answer. */
  hasFormats?: true
}

type Answer = { status: number; body: unknown }

/** Sends the same request to both, and returns the comparable parts. */
export async function askBothDoors(
  url: string,
  field: Field,
  variables: Record<string, unknown>,
): Promise<{ rest: Answer; graphql: Answer }> {
  const [rest, graphql] = await Promise.all([
    overRest(url, field, variables),
    overGraphql(url, field, variables),
  ])
  return { rest, graphql }
}

async function overRest(
  url: string,
  { path, member, hasFormats }: Field,
  variables: Record<string, unknown>,
): Promise<Answer> {
  const texts = Object.entries(variables).map(([name, value]) => [name, String(value)])
  const query = new URLSearchParams(Object.fromEntries(texts))
  if (hasFormats) query.set('responseFormat', 'full')
  const { status, body } = await getJson<Record<string, object>>(`${url}${path}?${query}`)
  if (body.error) return { status, body: errorOf(body.error) }
  return { status, body: comparable(member ? (body[member] ?? {}) : body) }
}

async function overGraphql(
  url: string,
  { field, selection, types }: Field,
  variables: Record<string, unknown>,
): Promise<Answer> {
  const given = Object.entries(types).filter(([name]) => name in variables)
  const inParentheses = (parts: string[]) => (parts.length > 0 ? `(${parts.join(', ')})` : '')
  const query = `query ${inParentheses(given.map(([name, type]) => `$${name}: ${type}`))} {
    ${field}${inParentheses(given.map(([name]) => `${name}: $${name}`))} ${selection} }`
  const response = await ask(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as {
    data: Record<string, object>
    errors?: { message: string; extensions: { code: number; status: string; details: object[] } }[]
  }
  const [error] = errors ?? []
  if (!error) return { status: 200, body: comparable(data[field] ?? {}) }
  const { code } = error.extensions
  return { status: code, body: errorOf({ ...error.extensions, message: error.message }) }
}

type Detail = { fieldViolations?: { field: string }[] }

/** REST and GraphQL name wrong fields in different orders. */
function inOrder({ fieldViolations, ...detail }: Detail) {
  const byField = (a: { field: string }, b: { field: string }) => (a.field < b.field ? -1 : 1)
  return fieldViolations
    ? { ...detail, fieldViolations: fieldViolations.toSorted(byField) }
    : detail
}

function errorOf(error: object) {
  const { code, status, details, message } = error as Record<string, unknown>
  return {
    code,
    status,
    details: (details as Detail[]).map(inOrder),
    message: String(message).split('; ').toSorted().join('; '),
  }
}

/** Members whose values differ between any two quotes or attestations. */
const UNLIKE = new Set([
  'orderId',
  'expiresAt',
  'data',
  'salt',
  'deadline',
  'uuid',
  'expiration',
  // An attestation's signature has more or fewer zero bytes.
  'gasLimit',
  'validUntil',
])

/** Without nulls: REST leaves optional fields out. */
function comparable(body: object): unknown {
  return JSON.parse(JSON.stringify(body), (key, value) => {
    if (UNLIKE.has(key)) return `<${key}>`
    // A signature, of a quote or of an attestation.
    if (typeof value === 'string' && /^0x[0-9a-f]{130}$/.test(value)) return '<signature>'
    return value === null ? undefined : value
  })
}
