import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The files that an indexer needs. */
const PARTS = [
  'abis',
  'db',
  'domain',
  'patches',
  'processes',
  'src',
  'ponder.config.ts',
  'ponder.schema.ts',
  'package.json',
  'tsconfig.json',
]
const PROJECT = join(import.meta.dirname, '..', '..')

export type ChangedProject = { root: string; remove(): Promise<void> }

/** The next version of this project: a copy in `parent` with a change in one file. Throws if it lacks the text. */
export async function changeProject(
  file: string,
  from: string,
  to: string,
  parent = tmpdir(),
): Promise<ChangedProject> {
  const root = await mkdtemp(join(parent, 'causeway-next-'))
  for (const part of PARTS) await cp(join(PROJECT, part), join(root, part), { recursive: true })
  await symlink(join(PROJECT, 'node_modules'), join(root, 'node_modules'))
  const path = join(root, file)
  const text = await readFile(path, 'utf8')
  if (!text.includes(from)) throw new Error(`${file} does not contain "${from}" any more`)
  await writeFile(path, text.replace(from, to))
  return { root, remove: () => rm(root, { recursive: true, force: true }) }
}
