import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { anchorOf } from './pages.ts'
import { table } from './table.ts'

/** A part of an OpenAPI schema, as far as the reference shows it. */
type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}
type Content = { content?: Record<string, { schema?: Schema }> }
type Parameter = {
  $ref?: string
  name: string
  in: string
  required?: boolean
  description?: string
  schema?: Schema
}
type Operation = {
  operationId: string
  summary?: string
  description?: string
  tags: string[]
  security?: Record<string, string[]>[]
  parameters?: Parameter[]
  requestBody?: Content
  responses: Record<string, Content & { description?: string }>
}
type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
}

const root = join(import.meta.dirname, '..')
const LONGEST_EXAMPLE = 80

/** A page per group of operations, from the OpenAPI document and the recorded examples. */
export function restReference(): { path: string; text: string }[] {
  const document: Document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'))
  return document.tags.map(({ name, description }) => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { tags }]) => tags?.includes(name))
        .map(([method, operation]) =>
          describe(document, `${method.toUpperCase()} ${path}`, operation),
        ),
    )
    const text = `# REST: ${name}\n\n${description}\n\n${operations.join('\n')}`
    return { path: `reference/${anchorOf(name)}`, text }
  })
}

function describe(document: Document, call: string, operation: Operation): string {
  const { operationId, description = '', parameters = [], requestBody, responses } = operation
  const [permission] = operation.security?.[0]?.apiKey ?? []
  const [answered = '', answer] =
    Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const inputs = parameters
    .map((parameter) => resolved(document, parameter))
    .map(({ name, in: place, required, description: meaning, schema }) =>
      row(name, `${place}${required ? ', required' : ''}`, typeOf(document, schema), meaning),
    )
  return [
    `## ${operationId}\n`,
    `\`${call}\`\n`,
    permission ? `Needs a key with \`${permission}\`.\n` : '',
    `${linked(description)}\n`,
    table(['parameter', 'in', 'type', 'meaning'], inputs),
    table(['field of the body', 'type', 'meaning'], fieldsOf(document, jsonOf(requestBody))),
    table(
      [`field of the answer (${answered})`, 'type', 'meaning'],
      fieldsOf(document, jsonOf(answer)),
    ),
    exampleOf(operationId),
  ].join('\n')
}

const jsonOf = (body: Content | undefined) => body?.content?.['application/json']?.schema

function resolved<T extends { $ref?: string }>(document: Document, part: T): T {
  if (!part.$ref) return part
  const found = part.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], document)
  return resolved(document, found as T)
}

function variantsOf(document: Document, schema: Schema): Schema[] {
  const plain = resolved(document, schema)
  const variants = plain.anyOf ?? plain.oneOf
  return variants ? variants.flatMap((variant) => variantsOf(document, variant)) : [plain]
}

function typeOf(document: Document, schema: Schema | undefined): string {
  if (!schema) return ''
  const types = variantsOf(document, schema).flatMap(({ type = 'object', enum: values, items }) => {
    if (values) return values.map((value) => JSON.stringify(value))
    return type === 'array' ? `list of ${typeOf(document, items)}` : type
  })
  return [...new Set(types)].join(' or ')
}

/** The fields of an object and of those inside it, by their paths. */
function fieldsOf(document: Document, schema: Schema | undefined, above = ''): string[][] {
  if (!schema) return []
  return variantsOf(document, schema).flatMap(({ properties = {}, required = [], items }) => [
    ...(items ? fieldsOf(document, items, `${above}[]`) : []),
    ...Object.entries(properties).flatMap(([name, field]) => {
      const path = above ? `${above}.${name}` : name
      const meaning = field.description ?? resolved(document, field).description
      const label = required.includes(name) ? path : `${path}?`
      return [row(label, typeOf(document, field), meaning), ...fieldsOf(document, field, path)]
    }),
  ])
}

function row(name: string, ...cells: (string | undefined)[]): string[] {
  return [`\`${name}\``, ...cells.map((cell = '') => linked(cell))]
}

function linked(text: string): string {
  return text.replaceAll(/docs\/([\w/-]+)\.md/g, '[$1](/$1.md)')
}

function exampleOf(operationId: string): string {
  const file = join(root, `docs/examples/${operationId}.json`)
  if (!existsSync(file)) return ''
  const { request, body } = JSON.parse(readFileSync(file, 'utf8'))
  const lines = JSON.stringify(body, null, 2).split('\n')
  const shown = lines.length > LONGEST_EXAMPLE ? [...lines.slice(0, LONGEST_EXAMPLE), '…'] : lines
  return `\`\`\`\n${request}\n\`\`\`\n\n\`\`\`json\n${shown.join('\n')}\n\`\`\`\n`
}
