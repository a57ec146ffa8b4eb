import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { resolveDatabaseUrls } from '../db/resolveDatabaseUrls.ts'

export type AdminConnection = {
  databaseUrl: string
  appSecret: Uint8Array
  /** Null if none is given: then no signing secret can be created. */
  secretsKey: Uint8Array | null
  /** True for a local start, or if WEBHOOK_ALLOW_PRIVATE is set. */
  allowPrivate: boolean
}

export class AdminConnectionError extends Error {
  override name = 'AdminConnectionError'
}

const secretText = z.string().regex(/^[0-9a-f]{64}$/)
const runFile = z.object({ databaseUrl: z.string() })
const secretsFile = z.object({ appSecret: secretText, secretsKey: secretText.nullish() })

/**
 * DATABASE_URL and APP_SECRET; where both are absent, those of the local start whose files are in
 * `dataDirectory`. Throws `AdminConnectionError` and `DatabaseUrlError`.
 */
export async function findAdminConnection(
  environment: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<AdminConnection> {
  const { DATABASE_URL: databaseUrl, APP_SECRET: appSecret, SECRETS_KEY: secretsKey } = environment
  if (!databaseUrl && !appSecret) return ofLocalStart(dataDirectory)
  if (!databaseUrl || !appSecret)
    throw new AdminConnectionError(
      `${databaseUrl ? 'APP_SECRET' : 'DATABASE_URL'} is not set: set both, those of the api, or neither beside a local start`,
    )
  const secrets = {
    appSecret: bytesOf('APP_SECRET', appSecret),
    secretsKey: secretsKey ? bytesOf('SECRETS_KEY', secretsKey) : null,
  }
  const { directUrl } = await resolveDatabaseUrls({ ...environment, DATABASE_URL: databaseUrl })
  return {
    databaseUrl: directUrl,
    ...secrets,
    allowPrivate: environment.WEBHOOK_ALLOW_PRIVATE === 'true',
  }
}

function bytesOf(name: string, text: string): Uint8Array {
  if (secretText.safeParse(text).success) return Buffer.from(text, 'hex')
  throw new AdminConnectionError(`${name}: expected 32 bytes as 64 lower-case hex digits`)
}

async function ofLocalStart(dataDirectory: string): Promise<AdminConnection> {
  const run = runFile.safeParse(await readJson(join(dataDirectory, 'run.json')))
  const secrets = secretsFile.safeParse(await readJson(join(dataDirectory, 'secrets.json')))
  if (!run.success || !secrets.success)
    throw new AdminConnectionError(
      'No database: set DATABASE_URL and APP_SECRET, or run npm start first (its .causeway/run.json is read then)',
    )
  return {
    databaseUrl: run.data.databaseUrl,
    appSecret: Buffer.from(secrets.data.appSecret, 'hex'),
    secretsKey: secrets.data.secretsKey ? Buffer.from(secrets.data.secretsKey, 'hex') : null,
    allowPrivate: true,
  }
}

/** Null for a file that does not exist or is no JSON: the caller reports what to do instead. */
async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}
