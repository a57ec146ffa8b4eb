import { glob, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { shellBlocksOf } from './pasteShell.ts'

/** A page of the documentation with calls to paste. */
export type CurlPage = {
  /** Its path from the root of the repository. */
  page: string
  /**
   * Its `sh` blocks with a curl, and those that set their variables, one after another. Commands of npm are
   * left out: they are about an installation, not about the API.
   */
  script: string
  /** The code with a curl outside `sh` blocks. */
  outside: string[]
}

const root = join(import.meta.dirname, '../..')
const HAS_CURL = /\bcurl\b/

/** Every page whose text has a curl. */
export async function curlPages(): Promise<CurlPage[]> {
  const names: string[] = []
  for await (const name of glob(['*.md', 'docs/**/*.md'], { cwd: root })) names.push(name)
  const pages = await Promise.all(
    names.sort().map(async (page) => {
      const text = await readFile(join(root, page), 'utf8')
      const blocks = shellBlocksOf(text).filter((block) => /\bcurl\b|^[A-Z_]+=/m.test(block))
      const rest = text.replaceAll(/```sh\n.*?```/gs, '')
      const outside = rest.split('\n').flatMap((line) => {
        const code = (line.match(/`[^`]+`/g) ?? []).filter((span) => HAS_CURL.test(span))
        return code.length === 0 && HAS_CURL.test(line) ? [line] : code
      })
      return { page, script: blocks.join('\n').replaceAll(/^npm run .+$/gm, ''), outside }
    }),
  )
  return pages.filter(({ script, outside }) => HAS_CURL.test(script) || outside.length > 0)
}
