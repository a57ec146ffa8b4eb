import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** `.causeway/run.json`: describes a running start for other programs. */
const runFileSchema = z.object({
  apiUrl: z.string(),
  /** The page for people. */
  consoleUrl: z.string(),
  graphqlUrl: z.string(),
  apiKey: z.string(),
  rpcUrls: z.record(z.string(), z.string()),
  databaseUrl: z.string(),
  addressBook: z.string(),
  /** The signed book by which clients check what they sign, and who has signed it; null on other chains than local ones. */
  shield: z
    .object({ bookFile: z.string(), signers: z.array(z.string()) })
    .nullable()
    .default(null),
  accounts: z.array(z.object({ address: z.string(), privateKey: z.string() })),
  /** The program that controls the local chains, with its first arguments: `@causeway/sdk/testing` runs it. */
  devnetCommand: z.array(z.string()),
  pids: z.record(z.string(), z.number()),
})

export type RunFile = z.output<typeof runFileSchema>

/** The run file of this data directory, or null if it is missing or damaged. */
export async function readRunFile(dataDirectory: string): Promise<RunFile | null> {
  const text = await readFile(join(dataDirectory, 'run.json'), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return runFileSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/**
 * Replaces the file atomically. Only the file's owner can read it, because it contains a key and a
 * password. It is synchronous, so that two processes that start at once do not overwrite each other.
 */
export function writeRunFile(dataDirectory: string, content: RunFile) {
  const path = join(dataDirectory, 'run.json')
  writeFileSync(`${path}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  chmodSync(`${path}.new`, 0o600)
  renameSync(`${path}.new`, path)
}

export async function removeRunFile(dataDirectory: string) {
  await rm(join(dataDirectory, 'run.json'), { force: true })
}
