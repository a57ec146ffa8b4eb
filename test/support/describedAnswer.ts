import { readFile } from 'node:fs/promises'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Responses = Record<string, { content?: { 'application/json': { schema: object } } }>
type Description = {
  paths: Record<string, Record<string, { responses: Responses }>>
  components: { schemas: Record<string, object> }
}

const file = new URL('../../docs/openapi.json', import.meta.url)
const description: Description = JSON.parse(await readFile(file, 'utf8'))
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })

function pathOf(pathname: string): string | undefined {
  return Object.keys(description.paths).find((path) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  )
}

/** What of an answer docs/openapi.json does not allow; empty when it is as described. */
export function undescribed(url: string, status: number, body: unknown): string[] {
  const path = pathOf(new URL(url).pathname)
  const responses = path && description.paths[path]?.get?.responses
  // What no path answers, and other methods, still have the envelope.
  const schema = responses
    ? responses[status]?.content?.['application/json'].schema
    : description.components.schemas.Error
  if (!schema && status !== 405) return [`${path} does not describe ${status}`]
  const validate = ajv.compile({
    ...(schema ?? description.components.schemas.Error),
    components: description.components,
  })
  return validate(body)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
