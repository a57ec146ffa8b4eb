import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type ReadmeProgram = {
  file: string
  /** The code block without the set-up. */
  block: string
  /** The set-up and the block. */
  text: string
}

/** The TypeScript blocks of sdk/README.md after its first one, which sets up what the others use. */
export async function readmePrograms(): Promise<ReadmeProgram[]> {
  const page = await readFile(join(import.meta.dirname, '../../sdk/README.md'), 'utf8')
  const [setup = '', ...blocks] = [...page.matchAll(/```ts\n(.*?)```/gs)].map(
    ([, code]) => code ?? '',
  )
  return blocks.map((block, index) => {
    return { file: `block${index}.ts`, block, text: `${setup}\n${block}` }
  })
}
