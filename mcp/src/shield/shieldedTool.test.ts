import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { OpenApiDocument } from '../openApiDocument.ts'
import { toolsOf } from '../toolsOf.ts'
import { PREPARING_TOOLS } from './preparingTools.ts'
import { shieldedTool } from './shieldedTool.ts'

const committed = new URL('../../../docs/openapi.json', import.meta.url)
const document = JSON.parse(await readFile(committed, 'utf8')) as OpenApiDocument
const tools = toolsOf(document)

/** The schemas that a wallet could be asked to sign. */
const SIGNABLE = /PreparedTransaction|PermitData|ApprovalTransaction|AuthorizationTransaction/
const fieldsOf = (schema: object) => Object.keys((schema as { properties: object }).properties)

test('default: every tool that prepares something to sign has a check, and no other one', () => {
  const preparing = tools.filter(({ outputSchema }) => SIGNABLE.test(JSON.stringify(outputSchema)))
  expect(preparing.map(({ name }) => name).toSorted()).toEqual(
    Object.keys(PREPARING_TOOLS).toSorted(),
  )
})

test.each(Object.keys(PREPARING_TOOLS))(
  'default: the limits of %s are arguments, and none of the API',
  (name) => {
    const tool = tools.find((one) => one.name === name)
    if (!tool) throw new Error('no such tool')
    const { limits } = PREPARING_TOOLS[name] ?? { limits: {} }
    const ofApi = fieldsOf(tool.inputSchema)
    expect(ofApi.filter((field) => field in limits)).toEqual([])
    const checked = shieldedTool(tool, { hasBook: true })
    expect(fieldsOf(checked.inputSchema)).toEqual(
      [...ofApi, ...Object.keys(limits)].filter((field) => field !== 'responseFormat'),
    )
    const unchecked = shieldedTool(tool, { hasBook: false })
    expect(unchecked.inputSchema).toEqual(tool.inputSchema)
    for (const { outputSchema } of [checked, unchecked])
      expect(fieldsOf(outputSchema)).toContain('shield')
  },
)
