import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import type { OpenApiDocument } from './openApiDocument.ts'
import { toolsOf } from './toolsOf.ts'

const committed = new URL('../../docs/openapi.json', import.meta.url)
const document = JSON.parse(await readFile(committed, 'utf8')) as OpenApiDocument
const tools = toolsOf(document)

function toolOf(name: string) {
  const tool = tools.find((found) => found.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  return tool
}

function operationIds(isWanted: (method: string, permission: string) => boolean): string[] {
  return Object.values(document.paths).flatMap((operations) =>
    Object.entries(operations)
      .filter(([method, { security }]) => isWanted(method, security?.[0]?.apiKey?.[0] ?? ''))
      .map(([, { operationId }]) => operationId),
  )
}

describe('the tools of docs/openapi.json', () => {
  test('default: every GET that a key may call is one, and nothing else', () => {
    const names = tools.map(({ name }) => name)
    const ofPeople = ['admin', 'members']
    const isTool = (method: string, permission: string) =>
      method === 'get' && !ofPeople.includes(permission)
    expect(names).toEqual(operationIds(isTool))
    expect(names.filter((name) => ['listKeepers', 'listMembers'].includes(name))).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['getOrderQuote', 'deposit', 'listVaults']))
    const others = operationIds((method) => method !== 'get')
    expect(others).toEqual(expect.arrayContaining(['createWebhookEndpoint', 'runGraphql']))
    expect(names.filter((name) => others.includes(name))).toEqual([])
  })

  test('behavior: a new GET is a tool, a new POST is none', () => {
    const operation = {
      operationId: 'getNews',
      summary: 'News',
      description: 'What is new.',
      parameters: [{ name: 'since', in: 'query', required: true, schema: { type: 'integer' } }],
      responses: { 200: { content: { 'application/json': { schema: { type: 'object' } } } } },
    }
    const post = { ...operation, operationId: 'postNews' }
    const paths = { ...document.paths, '/v9/news': { get: operation, post } }
    const added = toolsOf({ ...document, paths }).slice(tools.length)
    expect(added).toEqual([
      {
        name: 'getNews',
        title: 'News',
        description: 'What is new.',
        path: '/v9/news',
        inputSchema: {
          type: 'object',
          properties: { since: { type: 'integer' } },
          required: ['since'],
          additionalProperties: false,
        },
        outputSchema: { type: 'object' },
      },
    ])
  })

  test('behavior: inputs are the parameters of path and query with their descriptions', () => {
    const { properties, required } = toolOf('getTransitOrder').inputSchema
    expect(Object.keys(properties as object)).toEqual(['orderId', 'waitSeconds'])
    expect(required).toEqual(['orderId'])
    for (const { name, inputSchema } of tools)
      for (const [field, schema] of Object.entries(inputSchema.properties as object))
        expect([name, field, schema]).toEqual([
          name,
          field,
          expect.objectContaining({ description: expect.any(String) }),
        ])
  })

  test('behavior: each output is an object, and refers to nothing outside', () => {
    for (const { name, outputSchema } of tools) {
      expect([name, outputSchema.type]).toEqual([name, 'object'])
      const definitions = Object.keys((outputSchema.$defs as object | undefined) ?? {})
      const named = JSON.stringify(outputSchema).matchAll(/"\$ref":"([^"]+)"/g)
      for (const [, $ref = ''] of named)
        expect(definitions.map((definition) => `#/$defs/${definition}`)).toContain($ref)
    }
  })

  test('behavior: the list of tools stays small enough for one message', () => {
    expect(JSON.stringify(tools).length).toBeLessThan(250_000)
  })
})
