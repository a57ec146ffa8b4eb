import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { apiVariables, loadEnvironment, workerVariables } from '../environment.ts'
import { EnvironmentError } from './environmentError.ts'
import { SECRETS, withSecretFiles } from './secretFiles.ts'

const VALUE = 'ab'.repeat(32)
let folder: string
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-secrets-'))
  file = join(folder, 'secret')
  await writeFile(file, `${VALUE}\n`)
})
afterAll(() => rm(folder, { recursive: true }))

const resolve = (source: NodeJS.ProcessEnv) => withSecretFiles(source, async (found) => found)

async function problems(run: Promise<unknown>): Promise<string[]> {
  const error = await run.catch((failure: unknown) => failure)
  if (!(error instanceof EnvironmentError)) throw error
  expect(error.message).not.toContain(VALUE)
  return error.problems
}

describe('withSecretFiles', () => {
  test.each([...SECRETS, 'RPC_URL_1', 'WS_URL_4663'])('default: %s', async (name) => {
    expect(await resolve({ [`${name}_FILE`]: file })).toEqual({ [name]: VALUE })
  })

  test('behavior: every variable that must be secret is one', () => {
    const names = [apiVariables, workerVariables].flatMap(({ shape }) => Object.keys(shape))
    const secret = names.filter((name) => /SECRET|PRIVATE_KEY|_API_KEY$|DATABASE.*URL$/.test(name))
    expect([...new Set(secret)].sort()).toEqual([...SECRETS].sort())
  })

  test('behavior: only the newline at the end is left out; other files are not read', async () => {
    const spaced = join(folder, 'spaced')
    await writeFile(spaced, ' a b \r\n\n')
    expect(await resolve({ ATTESTATION_API_KEY_FILE: spaced, OTHER_FILE: file })).toEqual({
      ATTESTATION_API_KEY: ' a b ',
      OTHER_FILE: file,
    })
  })

  test('error: one line for each mistake, which never shows a content', async () => {
    const source = {
      APP_SECRET: VALUE,
      APP_SECRET_FILE: file,
      SECRETS_KEY_FILE: join(folder, 'none'),
      QUOTE_SIGNER_PRIVATE_KEY_FILE: file,
      ATTESTATION_API_KEY_FIL: file,
      DATABASE_URL: 'postgres://localhost/a',
      ADDRESS_BOOK: 'book.json',
    }
    const load = withSecretFiles(source, async (found) => loadEnvironment(apiVariables, found))
    expect((await problems(load)).sort()).toEqual([
      'APP_SECRET: is set, and so is APP_SECRET_FILE. Set only one of them.',
      'ATTESTATION_API_KEY_FILE: is not set, but ATTESTATION_API_KEY_FIL is. Correct the name.',
      `QUOTE_SIGNER_PRIVATE_KEY_FILE: expected a private key: 0x and 64 hex digits (${file})`,
      `SECRETS_KEY_FILE: cannot be read (ENOENT): ${join(folder, 'none')}. Name a file that this user may read.`,
    ])
  })

  test('error: an empty file', async () => {
    const empty = join(folder, 'empty')
    await writeFile(empty, '\n')
    expect(await problems(resolve({ APP_SECRET_FILE: empty }))).toEqual([
      `APP_SECRET_FILE: is empty: ${empty}. Write the value into it.`,
    ])
  })
})
