/// <reference types="node" />
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Address, Hex } from 'viem'
import type { ShieldSource } from '../shield/book.ts'
import { LocalWorldError } from './localWorldError.ts'

/** The used part of `.causeway/run.json`, by which `npm start` describes what it started. */
export type RunFile = {
  apiUrl: string
  apiKey: string
  /** By chain id. */
  rpcUrls: Record<string, string>
  accounts: { privateKey: Hex }[]
  /** The book by which the client checks what it signs. */
  shield: ShieldSource
  /** The program of `npm run devnet`, with its first arguments. */
  devnetCommand: string[]
  /** The folder of the file, which names the world to that program. */
  folder: string
}

const START = 'Run `npm start` in the clone of Causeway'
const FIELDS = ['apiUrl', 'apiKey', 'rpcUrls', 'shield', 'accounts', 'devnetCommand']

type Content = Omit<RunFile, 'folder' | 'shield'> & {
  shield: { bookFile: string; signers: Address[] } | null
}

/** The run file at a path, or the nearest `.causeway/run.json` above the working directory. Throws `LocalWorldError`. */
export async function readRunFile(given?: string | URL): Promise<RunFile> {
  const path = given === undefined ? nearestRunFile() : pathOf(given)
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new LocalWorldError(`No local world runs: ${path} cannot be read. ${START}.`, { cause })
  })
  const content = parsed(text)
  const missing = FIELDS.filter((field) => !(field in content))
  if (missing.length > 0)
    throw new LocalWorldError(
      `${path} is not the run file of this version of Causeway: it has no ${missing.join(', ')}. ${START}, and give the path of its .causeway/run.json.`,
    )
  const run = content as Content // It has all names, as checked above.
  const { shield } = run
  if (run.accounts.length === 0 || run.devnetCommand.length === 0 || !shield)
    throw new LocalWorldError(
      `${path} describes an installation on other chains than its own: it has no funded accounts. ${START} without RPC_URL_*.`,
    )
  const book: ShieldSource['book'] = JSON.parse(await readFile(shield.bookFile, 'utf8'))
  const { signers } = shield
  return { ...run, shield: { book, signers, environment: 'DEVELOPMENT' }, folder: dirname(path) }
}

function pathOf(given: string | URL): string {
  return given instanceof URL || given.startsWith('file:') ? fileURLToPath(given) : resolve(given)
}

function nearestRunFile(): string {
  for (let folder = resolve('.'); ; folder = dirname(folder)) {
    const path = join(folder, '.causeway/run.json')
    if (existsSync(path)) return path
    if (folder === dirname(folder)) break
  }
  throw new LocalWorldError(
    `No local world runs: there is no .causeway/run.json in ${resolve('.')} or above. ${START}. If DATA_DIRECTORY is set, give the path of run.json there.`,
  )
}

function parsed(text: string): object {
  try {
    const content: unknown = JSON.parse(text)
    return typeof content === 'object' && content !== null ? content : {}
  } catch {
    return {}
  }
}
