import { changeTexts, visible } from './plainJson.ts'

export type JsonSchema = { [keyword: string]: unknown }

export type OpenApiParameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: JsonSchema
}

export type OpenApiOperation = {
  operationId: string
  summary: string
  description: string
  tags?: string[]
  parameters?: OpenApiParameter[]
  /** The permission that the key needs, as its scope. */
  security?: { apiKey?: string[] }[]
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

/** The used parts of the document that the API serves at `/openapi.json`. */
export type OpenApiDocument = {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, OpenApiOperation>>
  components: { schemas: Record<string, JsonSchema> }
}

/** Reads the document of an installation. Throws if the API does not answer with it. */
export async function readOpenApiDocument(apiUrl: string): Promise<OpenApiDocument> {
  const response = await fetch(`${apiUrl}/openapi.json`, { signal: AbortSignal.timeout(20_000) })
  if (!response.ok) throw new Error(`${apiUrl}/openapi.json answers ${response.status}`)
  const document = changeTexts(await response.json(), visible) as Partial<OpenApiDocument>
  if (!document.paths) throw new Error(`${apiUrl}/openapi.json is no OpenAPI document`)
  return document as OpenApiDocument
}
