import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import openapiTypes, { astToString } from 'openapi-typescript'
import { expect, test } from 'vitest'
import { openapi } from '../../api/openapi/openapi.ts'
import { routes } from '../../api/rest/routes.ts'
import { createStrangersProject } from '../support/strangersProject.ts'

type Example = { requestBody?: object; status: number; body: object }

const folder = join(import.meta.dirname, '../../docs/examples')

test('default: every example is a value of the types that are generated from /openapi.json', async () => {
  await using project = await createStrangersProject()
  // The served document, as the generator reads it.
  const types = await openapiTypes(JSON.parse(JSON.stringify(openapi())))
  await project.write('causeway.ts', astToString(types))
  const files = await readdir(folder)
  const values = await Promise.all(files.map(valuesOf))
  const imports = "import type { operations } from './causeway.ts'"
  const examples = values.flat()
  await project.write('examples.ts', [imports, ...examples].join('\n'))

  const right = examples.find((example) => example.includes('"status": "PROCESSED"'))
  const wrong = right?.replace('"status": "PROCESSED"', '"status": "DONE"')
  await project.write('wrong.ts', [imports, wrong].join('\n'))
  // One run: both read the same large file of types.
  const complaints = await project.check('examples.ts', 'wrong.ts')
  expect(complaints).toContain('"DONE"')
  // The lines of a complaint after its first are indented.
  const others = complaints.split('\n').filter((line) => !/^(wrong\.ts\(|\s|$)/.test(line))
  expect(others).toEqual([])
})

/** One exported constant per answer and request body of a file. */
async function valuesOf(file: string): Promise<string[]> {
  const { requestBody, status, body }: Example = JSON.parse(
    await readFile(join(folder, file), 'utf8'),
  )
  const name = file.replace('.json', '').replace('.', '_')
  const operation = `operations['${file.split('.')[0]}']`
  const json = "['content']['application/json']"
  const isKnown = routes.some(({ operationId }) => operation.includes(`'${operationId}'`))
  if (!isKnown) throw new Error(`${file} is of no route`)
  const answer = `export const ${name}: ${operation}['responses']['${status}']${json} = ${shown(body)}`
  const request = `export const ${name}_request: ${operation}['requestBody']${json} = `
  return [answer, ...(requestBody ? [`${request}${shown(requestBody)}`] : [])]
}

function shown(value: object): string {
  return JSON.stringify(value, null, 2)
}
