import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfPresent } from '../../devnet/readIfPresent.ts'

const secretsSchema = z.object({
  appSecret: z.string(),
  secretsKey: z.string(),
  postgresPassword: z.string(),
  /** The database has only its hash, but a local start prints the key each time. */
  apiKey: z.string().nullable(),
})

export type Secrets = z.output<typeof secretsSchema>

/** The local world's secrets; null before its first start. */
export async function readSecrets(dataDirectory: string): Promise<Secrets | null> {
  const text = await readIfPresent(fileOf(dataDirectory))
  return text === null ? null : secretsSchema.parse(JSON.parse(text))
}

/** The same for a start, the first of which creates them. Only the file's owner can read them. */
export async function loadSecrets(dataDirectory: string): Promise<Secrets> {
  const kept = await readSecrets(dataDirectory)
  if (kept !== null) return kept
  const made: Secrets = {
    appSecret: randomBytes(32).toString('hex'),
    secretsKey: randomBytes(32).toString('hex'),
    postgresPassword: randomBytes(16).toString('hex'),
    apiKey: null,
  }
  await saveSecrets(dataDirectory, made)
  return made
}

export async function saveSecrets(dataDirectory: string, secrets: Secrets) {
  await writeFile(fileOf(dataDirectory), `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
}

function fileOf(dataDirectory: string): string {
  return join(dataDirectory, 'secrets.json')
}
