import { chmodSync, renameSync, writeFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

/** What a running start tells other programs, in `.causeway/run.json`. */
const runFileSchema = z.object({
  apiUrl: z.string(),
  graphqlUrl: z.string(),
  apiKey: z.string(),
  rpcUrls: z.record(z.string(), z.string()),
  databaseUrl: z.string(),
  addressBook: z.string(),
  accounts: z.array(z.object({ address: z.string(), privateKey: z.string() })),
  pids: z.record(z.string(), z.number()),
})

export type RunFile = z.output<typeof runFileSchema>

/** The run file of this data directory, or null when there is none or it is damaged. */
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
 * Written whole or not at all, and only for its owner: it holds a key and a password. At once,
 * since two processes may start at the same time and each is written down.
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
