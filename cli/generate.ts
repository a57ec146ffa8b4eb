import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { openapi } from '../api/openapi/openapi.ts'
import { sdl } from '../schema/sdl.ts'
import { errorsPage } from './errorsPage.ts'

/** Every committed file that is made from code, by its path in the repository. */
function generatedFiles(): Record<string, string> {
  return {
    'schema/schema.graphql': sdl(),
    'docs/openapi.json': `${JSON.stringify(openapi(), null, 2)}\n`,
    'docs/errors.md': errorsPage(),
  }
}

const isCheck = process.argv.includes('--check')
const drifted: string[] = []
for (const [path, text] of Object.entries(generatedFiles())) {
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
