/** A field of an event's body. */
export type EventField = { name: string; type: string; description: string; isAlways: boolean }

/** A type of event, its fields, and an example of its body. */
export type EventDescription = {
  type: string
  summary: string
  fields: readonly EventField[]
  example: Record<string, unknown>
}

type BodySchema = {
  required?: readonly string[]
  properties: Record<string, FieldSchema & { description?: string }>
}

/** The parts of the OpenAPI document that describe events. */
export type WebhookDocument = {
  webhooks: Record<
    string,
    {
      post: {
        summary: string
        requestBody: {
          content: {
            'application/json': { schema: { $ref: string }; example: Record<string, unknown> }
          }
        }
      }
    }
  >
  components: { schemas: Record<string, unknown> }
}

/** Every type of event that the document describes. */
export function eventCatalogue({ webhooks, components }: WebhookDocument): EventDescription[] {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const { schema: reference, example } = post.requestBody.content['application/json']
    // The document's own references lead to the bodies of events.
    const schema = components.schemas[reference.$ref.split('/').at(-1) ?? ''] as BodySchema
    const properties = Object.entries(schema.properties)
    const fields = properties.map(([name, property]) => ({
      name,
      type: typeText(property),
      description: property.description ?? '',
      isAlways: schema.required?.includes(name) ?? false,
    }))
    return { type, summary: post.summary, fields, example }
  })
}

function typeText({ const: only, enum: values, type, format, pattern }: FieldSchema): string {
  if (only !== undefined) return JSON.stringify(only)
  if (values) return values.map((value) => JSON.stringify(value)).join(' or ')
  const more = format ? ` (${format})` : pattern === '^[0-9]+$' ? ' of digits' : ''
  const names = [type].flat().map((name) => (name === 'null' ? name : `${name}${more}`))
  return names.join(' or ')
}

/** The parts of a JSON schema that fields of events use. */
type FieldSchema = {
  const?: unknown
  enum?: readonly string[]
  type?: string | readonly string[]
  format?: string
  pattern?: string
}
