import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { routes } from '../../api/rest/routes.ts'
import { undescribed } from '../support/describedAnswer.ts'

/** The files of docs/examples fit the API; `npm run examples` writes them again. */

type Example = {
  request: string
  status: number
  body: { error?: { details: { fieldViolations: object[] }[] } }
}

const folder = join(import.meta.dirname, '../../docs/examples')
const files = (await readdir(folder)).sort()
const read = async (file: string): Promise<Example> =>
  JSON.parse(await readFile(join(folder, file), 'utf8'))

describe('docs/examples', () => {
  test('default: an answer of every route', () => {
    const lacking = routes.filter(({ operationId }) => !files.includes(`${operationId}.json`))
    expect(lacking.map(({ path }) => path)).toEqual([])
  })

  test.each(files)('behavior: %s is as docs/openapi.json describes it', async (file) => {
    const { request, status, body } = await read(file)
    const [operationId, error] = file.split('.')
    expect(status).toBe(error === 'json' ? 200 : Number(error))
    const route = routes.find((candidate) => candidate.operationId === operationId)
    const [method, target = ''] = request.split(' ')
    const { pathname } = new URL(target, 'http://127.0.0.1')
    expect(method).toBe(route?.method)
    expect(pathname).toMatch(new RegExp(`^${route?.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`))
    expect(undescribed(`http://127.0.0.1${target}`, status, body, method?.toLowerCase())).toEqual(
      [],
    )
  })

  test('behavior: among them bad fields, nothing there, and not now', async () => {
    const examples = await Promise.all(files.map(read))
    const statuses = new Set(examples.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([200, 400, 404, 503])
    const violations = examples.flatMap(({ body }) =>
      (body.error?.details ?? []).flatMap(({ fieldViolations }) => fieldViolations),
    )
    expect(violations.length).toBeGreaterThan(1)
  })
})
