import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type ReadmeProgram = {
  file: string
  /** The code block without the set-up. */
  block: string
  /** The set-up and the block. */
  text: string
}

/**
 * The TypeScript blocks of sdk/README.md after its first one, which sets up what the others use, then those of
 * README.md.
 */
export async function readmePrograms(): Promise<ReadmeProgram[]> {
  const [setup = '', ...blocks] = await blocksOf('sdk/README.md')
  return [...blocks, ...(await blocksOf('README.md'))].map((block, index) => {
    return { file: `block${index}.ts`, block, text: `${setup}\n${block}` }
  })
}

async function blocksOf(path: string): Promise<string[]> {
  const page = await readFile(join(import.meta.dirname, '../..', path), 'utf8')
  return [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code ?? '')
}
