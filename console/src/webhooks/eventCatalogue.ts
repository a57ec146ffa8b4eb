/** A field of an event's body. */
export type EventField = { name: string; type: string; description: string; isAlways: boolean }

/** A type of event, its fields, and a body made from them. */
export type EventDescription = {
  type: string
  summary: string
  fields: readonly EventField[]
  example: Record<string, unknown>
}

type BodySchema = {
  required?: readonly string[]
  properties: Record<string, SampleSchema & { description?: string }>
}

/** The parts of the OpenAPI document that describe events. */
export type WebhookDocument = {
  webhooks: Record<
    string,
    {
      post: {
        summary: string
        requestBody: { content: { 'application/json': { schema: { $ref: string } } } }
      }
    }
  >
  components: { schemas: Record<string, unknown> }
}

/** Every type of event that the document describes. */
export function eventCatalogue({ webhooks, components }: WebhookDocument): EventDescription[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const { $ref } = post.requestBody.content['application/json'].schema
    // The document's own references lead to the bodies of events.
    const schema = components.schemas[$ref.split('/').at(-1) ?? ''] as BodySchema
    const properties = Object.entries(schema.properties)
    const fields = properties.map(([name, property]) => ({
      name,
      type: typeText(property),
      description: property.description ?? '',
      isAlways: schema.required?.includes(name) ?? false,
    }))
    const example = Object.fromEntries(
      properties.map(([name, property]) => [name, sampleOf(name, property)]),
    )
    return { type, summary: post.summary, fields, example }
  })
}

function typeText({ const: only, enum: values, type, format, pattern }: SampleSchema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ')
  const more = format ? ` (${format})` : pattern === '^[0-9]+$' ? ' of digits' : ''
  const names = [type].flat().map((name) => (name === 'null' ? name : `${name}${more}`))
  return names.join(' or ')
}

/** The parts of a JSON schema that fields of events use. */
type SampleSchema = {
  const?: unknown
  enum?: readonly string[]
  type?: string | readonly string[]
  format?: string
  pattern?: string
}

const ADDRESS = '0x0aB4aeb64DD9bb12ad543917b751fbC6E7386F33'

const BY_FORMAT: Record<string, string> = {
  'date-time': '2026-11-22T04:31:54.254Z',
  uuid: 'a03a85bc-2db4-4be1-8905-2e00ce84e834',
}
const BY_NAME: Record<string, string> = {
  id: `evt_${'1'.repeat(40)}`,
  reverted_event_id: `evt_${'2'.repeat(40)}`,
  vault_id: `1:${ADDRESS}`,
  chain_name: 'Ethereum',
  input_token_symbol: 'USDC',
}
const BY_PATTERN: Record<string, string> = {
  '^0x[0-9a-f]{64}$': `0x${'1a'.repeat(32)}`,
  '^0x[0-9a-fA-F]{40}$': ADDRESS,
}

/** A value that a field may have, for an example. */
function sampleOf(name: string, schema: SampleSchema): unknown {
  const { const: only, enum: values, type, format = '', pattern = '' } = schema
  if (only !== undefined) return only
  if (values) return values[0]
  const types = [type].flat()
  if (types.includes('integer')) return name === 'deadline' ? 1_795_324_000 : 1
  if (types.includes('boolean')) return false
  if (pattern === '^[0-9]+$') return digits(name)
  return BY_FORMAT[format] ?? BY_NAME[name] ?? BY_PATTERN[pattern] ?? name
}

function digits(name: string): string {
  if (name.endsWith('chain_id')) return '1'
  return name.endsWith('decimals') ? '6' : '1000000'
}
