import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openapi } from '../api/openapi/openapi.ts'
import { COMPILED_FILE, compileAnew, compileContracts } from '../contracts/compileContracts.ts'
import { sdl } from '../schema/sdl.ts'
import { consoleCalls } from './consoleCalls.ts'
import { errorsPage } from './errorsPage.ts'
import { clientPage } from './sdk/clientPage.ts'
import { sdkActions } from './sdk/sdkActions.ts'
import { sdkOperations } from './sdk/sdkOperations.ts'
import { sdkPreparedFunctions } from './sdk/sdkPreparedFunctions.ts'
import { sdkTypes } from './sdk/sdkTypes.ts'

const isCheck = process.argv.includes('--check')
const FOLDERS_OF_CONTRACTS = ['contracts', 'devnet/contracts', 'test/contracts', 'bench/backfill']

/** Every committed file that is made from code, by its path in the repository. */
async function generatedFiles(): Promise<Record<string, string>> {
  const json = `${JSON.stringify(openapi(), null, 2)}\n`
  // The SDK reads the document that is published, not what it is made from.
  const document = JSON.parse(json)
  return {
    'schema/schema.graphql': sdl(),
    'docs/openapi.json': json,
    'docs/errors.md': errorsPage(),
    'docs/client.md': clientPage(document),
    'sdk/src/generated/api.ts': await sdkTypes(document),
    'sdk/src/generated/operations.ts': sdkOperations(document),
    ...sdkActions(document),
    'sdk/src/generated/preparedFunctions.ts': sdkPreparedFunctions(),
    'console/src/generated/graphqlCalls.ts': consoleCalls(),
    ...(await compiledContracts()),
  }
}

/** The compiler takes half a minute: only a check runs it for sources that have not changed. */
async function compiledContracts(): Promise<Record<string, string>> {
  const files = FOLDERS_OF_CONTRACTS.map(async (name) => {
    const folder = fileURLToPath(new URL(`../${name}`, import.meta.url))
    if (isCheck) return [`${name}/${COMPILED_FILE}`, await compileAnew(folder)]
    await compileContracts(folder)
    return [`${name}/${COMPILED_FILE}`, await readFile(join(folder, COMPILED_FILE), 'utf8')]
  })
  return Object.fromEntries(await Promise.all(files))
}

const drifted: string[] = []
for (const [path, text] of Object.entries(await generatedFiles())) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url))
  const present = await readFile(file, 'utf8').catch(() => null)
  if (present === text) continue
  drifted.push(path)
  if (!isCheck) await writeFile(file, text)
}

if (isCheck && drifted.length > 0) {
  process.stderr.write(`Out of date: ${drifted.join(', ')}. Run: npm run generate\n`)
  process.exitCode = 1
} else {
  const verb = isCheck ? 'up to date' : `written: ${drifted.join(', ') || 'nothing changed'}`
  process.stdout.write(`Generated files ${verb}\n`)
}
