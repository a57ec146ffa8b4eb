import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

/**
 * A page of React's development build, which reports what a production build hides, as the script of a bundler. `alias` gives
 * packages other folders.
 */
export async function bundlePage(
  folder: string,
  program: string,
  alias: Record<string, string> = {},
): Promise<string> {
  const input = join(folder, 'page.js')
  await writeFile(input, program)
  const define = { 'process.env.NODE_ENV': '"development"' }
  const bundle = await rolldown({
    input,
    platform: 'browser',
    resolve: { alias },
    transform: { define },
    // Packages mark their client modules, which only servers of React read.
    checks: { moduleLevelDirective: false },
  })
  const { output } = await bundle.generate({ format: 'esm' })
  await bundle.close()
  return output[0].code
}
