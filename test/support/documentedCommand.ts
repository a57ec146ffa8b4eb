import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

export type DocumentedBlock = { page: string; language: string; text: string }

const DOCS = join(import.meta.dirname, '../../docs')

/** The code blocks of the pages for operators, as an operator copies them: a block in a list is not indented. */
export async function documentedBlocks(): Promise<DocumentedBlock[]> {
  const names = await readdir(join(DOCS, 'operating'))
  const pages = ['operating.md', ...names.sort().map((name) => `operating/${name}`)]
  const blocks = pages.map(async (page) =>
    blocksOf(await readFile(join(DOCS, page), 'utf8')).map((block) => ({ page, ...block })),
  )
  return (await Promise.all(blocks)).flat()
}

function blocksOf(page: string): Omit<DocumentedBlock, 'page'>[] {
  return [...page.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map(
    ([, indent = '', language = '', text = '']) => ({
      language,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), '').trim(),
    }),
  )
}

/** The command of docs/operating/backup.md that begins so. */
export async function documentedCommand(beginning: string): Promise<string> {
  const page = 'operating/backup.md'
  const blocks = await documentedBlocks()
  const command = blocks.find((block) => block.page === page && block.text.startsWith(beginning))
  if (!command) throw new Error(`docs/${page} has no command ${beginning}`)
  return command.text
}
