import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientExamples } from '../../cli/sdk/clientPage.ts'

const root = join(import.meta.dirname, '../..')
const text = (file: string) => readFileSync(join(root, file), 'utf8')

/** The examples of docs/client.md. */
export const examples: readonly string[] = clientExamples(JSON.parse(text('docs/openapi.json')))

/** The imports of all that programs take from the packed SDK. */
export function importsOf(programs: readonly string[]): string {
  const used = new Set(programs.join('\n').match(/\w+/g))
  const entries = text('sdk/surface.txt').split(/^(?=@causeway)/m)
  const imported = entries.map((lines) => {
    const [entry] = lines.split('\n')
    const names = [...lines.matchAll(/^(\w+): /gm)]
      .map(([, name = '']) => name)
      // Of two entries that have it, the first one.
      .filter((name) => used.delete(name))
    return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${entry}'\n`
  })
  return imported.join('')
}
