import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { parseCsv } from './csv.ts'

type Content = Record<string, { schema: object }>
type Responses = Record<string, { content?: Content; 'x-csv'?: { columns: string[] } }>
export type Parameter = { name: string; in: string; schema: object; example?: unknown }
type Body = { content: Record<string, { schema: object; example?: Record<string, unknown> }> }
export type Operation = { parameters?: Parameter[]; requestBody?: Body; responses: Responses }
type Description = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post?: Operation }>
  components: { schemas: Record<string, object> }
}

const file = new URL('../../docs/openapi.json', import.meta.url)
/** The contents of docs/openapi.json. */
export const description: Description = JSON.parse(await readFile(file, 'utf8'))
// The document is one schema, so that what its parts share is compiled once.
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).addSchema(
  description,
  'openapi',
)

function pathOf(pathname: string): string | undefined {
  return Object.keys(description.paths).find((path) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
}

/** Keys lead to a schema of docs/openapi.json. */
function faultsOf(keys: (string | number)[], body: unknown): string[] {
  const pointer = keys.map((key) => encodeURIComponent(`${key}`.replaceAll('/', '~1'))).join('/')
  const validate = ajv.getSchema(`openapi#/${pointer}`)
  if (!validate) return [`no schema at ${pointer}`]
  if (validate(body)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** The parts of a webhook's body that docs/openapi.json does not allow for its type. */
export function undescribedEvent(body: { type?: unknown }): string[] {
  const type = String(body.type)
  if (!description.webhooks[type]) return [`no webhook ${type}`]
  const content = ['webhooks', type, 'post', 'requestBody', 'content', 'application/json', 'schema']
  return faultsOf(content, body)
}

/** The parts of an answer that docs/openapi.json does not allow; empty when it is as described. */
export function undescribed(url: string, status: number, body: unknown, method = 'get'): string[] {
  const path = pathOf(new URL(url).pathname)
  const responses = path === undefined ? undefined : description.paths[path]?.[method]?.responses
  if (path && responses?.[status]?.content?.['application/json']) {
    const content = ['responses', status, 'content', 'application/json', 'schema']
    return faultsOf(['paths', path, method, ...content], body)
  }
  if (responses && status !== 405) return [`${path} does not describe ${status}`]
  // Unknown paths and other methods have the envelope too.
  return faultsOf(['components', 'schemas', 'Error'], body)
}

/** The parts of an answer in CSV that docs/openapi.json does not allow. */
export function undescribedTable(url: string, status: number, table: string): string[] {
  const path = pathOf(new URL(url).pathname)
  const { columns } = (path && description.paths[path]?.get?.responses[status]?.['x-csv']) || {}
  const [names = [], ...rows] = parseCsv(table)
  return [
    ...(names.join() === columns?.join() ? [] : [`other columns: ${names}`]),
    ...(rows.every(({ length }) => length === names.length) ? [] : ['a row of another length']),
  ]
}
