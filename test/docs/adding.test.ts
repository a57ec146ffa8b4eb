import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const run = promisify(execFile)
const ROOT = join(import.meta.dirname, '../..')
const PAGE = 'docs/adding.md'
/** Of an object type or a returned object, the line after which a new field may stand. */
const PLACES: Record<string, string> = {
  'domain/transit/orders/transitOrder.ts': '  messageGuid: Hex | null\n',
  'domain/transit/orders/toTransitOrder.ts':
    '    messageGuid: submission?.messageGuid ?? delivery?.messageGuid ?? null,\n',
  'schema/transit/orders/order.ts':
    "    id: nonNull.hash('The order id: the EIP-712 digest of the signed quote.'),\n",
}

/** The page's steps that add a field to an order, followed in a copy of the project. */
describe('a field of a Transit order', () => {
  let copy: string
  let steps: Map<string, string>
  beforeAll(async () => {
    steps = await readSteps()
    copy = await copyProject()
  })
  afterAll(() => rm(copy, { recursive: true }))

  test('the page names three files to change, and each has its place', () => {
    expect([...steps.keys()]).toEqual(Object.keys(PLACES))
  })

  test('behavior: a forgotten conversion does not compile', async () => {
    const [type = '', conversion = ''] = Object.keys(PLACES)
    await add(type)
    const config = {
      extends: './tsconfig.json',
      compilerOptions: { noEmit: true },
      include: [conversion, 'ponder-env.d.ts'],
      files: [conversion],
    }
    await writeFile(join(copy, 'tsconfig.adding.json'), JSON.stringify(config))
    const check = () =>
      run('npx', ['tsc', '-p', 'tsconfig.adding.json', '--checkers', '1'], { cwd: copy })
    await expect(check()).rejects.toMatchObject({
      stdout: expect.stringMatching(/toTransitOrder\.ts.*'salt' is missing/s),
    })
    await add(conversion)
    await check()
  })

  test('behavior: the field is in the documents of the API', async () => {
    await add('schema/transit/orders/order.ts')
    await run(process.execPath, ['-r', './checkNode.cjs', 'cli/generate.ts'], { cwd: copy })
    const sdl = await readFile(join(copy, 'schema/schema.graphql'), 'utf8')
    expect(sdl).toMatch(/type TransitOrder \{[^}]*\bsalt: Hash\n/s)
    const openapi = await readFile(join(copy, 'docs/openapi.json'), 'utf8')
    expect(JSON.parse(openapi).components.schemas.TransitOrder.properties).toHaveProperty('salt')
    const client = await readFile(join(copy, 'sdk/src/generated/api.ts'), 'utf8')
    expect(client).toMatch(/\bsalt: .*"Hash".* \| null/)
  })

  async function add(file: string) {
    const path = join(copy, file)
    const text = await readFile(path, 'utf8')
    const place = PLACES[file] ?? ''
    expect(text.split(place)).toHaveLength(2)
    await writeFile(
      path,
      text.replace(place, () => `${place}${steps.get(file)}\n`),
    )
  }
})

/** By file, the code that the page adds to it. */
async function readSteps(): Promise<Map<string, string>> {
  const page = await readFile(join(ROOT, PAGE), 'utf8')
  const [, section = ''] = page.split('### A Transit order')
  const [ofOrder = ''] = section.split('\n### ')
  const blocks = ofOrder.matchAll(
    /`((?:domain|schema)\/[^`]+\.ts)`[^`]*(?:`\w+`)?[^`]*```ts\n(.*?)```/gs,
  )
  return new Map([...blocks].map(([, file = '', code = '']) => [file, code.trimEnd()]))
}

/** The files of the project as they are in its folder, with its installed packages. */
async function copyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-adding-'))
  const { stdout } = await run('git', ['ls-files', '-z'], { cwd: ROOT, maxBuffer: 2 ** 24 })
  const files = stdout
    .split('\0')
    .filter((file) => file && !/^(test|bench)\/(?!contracts|backfill)/.test(file))
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await cp(join(ROOT, file), join(folder, file)).catch((error) => {
      // A file that is deleted, but not yet committed.
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
