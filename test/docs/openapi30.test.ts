import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import openapiTypes, { astToString } from 'openapi-typescript'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startTestApi, type TestApi } from '../support/api.ts'
import { getJson } from '../support/getJson.ts'

type Document = { openapi: string; paths: Record<string, object>; components: { schemas: object } }

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api?.stop())

const read = () => getJson<Document>(`${api.url}/openapi-3.0.json`)

test('OpenAPI 3.0 is served with the same operations and schemas, and is valid', async () => {
  const { body: newest } = await getJson<Document>(`${api.url}/openapi.json`)
  const { status, body } = await read()
  expect([status, body.openapi]).toEqual([200, '3.0.3'])
  const operationsOf = ({ paths }: Document) =>
    Object.entries(paths).map(([path, operations]) => [path, Object.keys(operations)])
  expect(operationsOf(body)).toEqual(operationsOf(newest))
  expect(Object.keys(body.components.schemas)).toEqual(Object.keys(newest.components.schemas))

  const folder = await mkdtemp(join(tmpdir(), 'causeway-openapi-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(body))
  // It rejects with what is wrong.
  await promisify(execFile)('node_modules/.bin/redocly', ['lint', file], { maxBuffer: 1e8 })
})

test('a generator makes types of it, with the names of the document', async () => {
  const { body } = await read()
  // It changes the document.
  const types = astToString(await openapiTypes(structuredClone(body) as never)) // Its type is that of a valid document.
  const operationIds = Object.values(body.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }: { operationId: string }) => operationId),
  )
  const names = [...Object.keys(body.components.schemas), ...operationIds]
  const missing = names.filter((name) => !new RegExp(`^ +${name}: `, 'm').test(types))
  expect(missing).toEqual([])
  expect(types).toMatch(/ expectedBy: string \| null;/)
})

test('bodies and answers have names, and what passes 32 bits says so', async () => {
  const { body } = await read()
  const unnamed: string[] = []
  const short: string[] = []
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null || /examples?$/.test(place)) return
    const node = value as { type?: unknown; format?: string; maximum?: number; properties?: object }
    if (node.type === 'object' && node.properties && /json\/schema$/.test(place))
      unnamed.push(place)
    const isLong = node.format === 'unix-time' || (node.maximum ?? 0) > 2 ** 31 - 1
    if (node.type === 'integer' && isLong && node.format !== 'int64') short.push(place)
    for (const [name, part] of Object.entries(value)) look(part, `${place}/${name}`)
  }
  look(body, '')
  expect({ unnamed, short }).toEqual({ unnamed: [], short: [] })
  expect(JSON.stringify(body)).toContain('"format":"int64"')
})

test('it says by the words of 3.0 what can be null, what is constant, and what a reference means here', async () => {
  const { body } = await read()
  const text = JSON.stringify(body, (name, value) =>
    name === 'example' || name === 'examples' ? undefined : value,
  )
  for (const word of ['"type":["', '"type":"null"', '"const":"']) expect(text).not.toContain(word)
  expect(text).not.toMatch(/"\$ref":"[^"]*","/)
  expect(body.components.schemas).toMatchObject({
    TransitOrderQuote: {
      properties: {
        latency: {
          type: 'object',
          nullable: true,
          allOf: [{ $ref: '#/components/schemas/RouteLatency' }],
          description: expect.stringContaining('Null while'),
        },
      },
    },
    OrderNotFoundInfo: { properties: { reason: { type: 'string', enum: ['ORDER_NOT_FOUND'] } } },
  })
})
