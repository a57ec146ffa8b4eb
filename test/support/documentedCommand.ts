import { readFile } from 'node:fs/promises'

const PAGE = 'docs/operating/backup.md'

/** The commands of docs/operating/backup.md, as an operator copies them. */
export async function documentedCommands(): Promise<string[]> {
  const page = await readFile(PAGE, 'utf8')
  return [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text.trim())
}

/** The command of that page that begins so. */
export async function documentedCommand(beginning: string): Promise<string> {
  const command = (await documentedCommands()).find((text) => text.startsWith(beginning))
  if (!command) throw new Error(`${PAGE} has no command ${beginning}`)
  return command
}
