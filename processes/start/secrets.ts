import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfPresent } from '../../devnet/readIfPresent.ts'

const secretsSchema = z.object({
  appSecret: z.string(),
  /** Null in a file of an earlier version. */
  secretsKey: z.string().nullable().default(null),
  postgresPassword: z.string(),
  /** The database has only its hash, but a local start prints the key each time. */
  apiKey: z.string().nullable(),
})

export type Secrets = Omit<z.output<typeof secretsSchema>, 'secretsKey'> & { secretsKey: string }

/** The local world's secrets. The first start creates them; only the file's owner can read them. */
export async function loadSecrets(dataDirectory: string): Promise<Secrets> {
  const text = await readIfPresent(fileOf(dataDirectory))
  const kept = text === null ? null : secretsSchema.parse(JSON.parse(text))
  if (kept?.secretsKey) return { ...kept, secretsKey: kept.secretsKey }
  const made: Secrets = {
    appSecret: randomBytes(32).toString('hex'),
    postgresPassword: randomBytes(16).toString('hex'),
    apiKey: null,
    ...kept,
    secretsKey: randomBytes(32).toString('hex'),
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
