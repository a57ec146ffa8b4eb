import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

export type AdminConnection = { databaseUrl: string; appSecret: Uint8Array }

export class AdminConnectionError extends Error {
  override name = 'AdminConnectionError'
}

const secretText = z.string().regex(/^[0-9a-f]{64}$/)
const runFile = z.object({ databaseUrl: z.string() })
const secretsFile = z.object({ appSecret: secretText })

/**
 * DATABASE_URL and APP_SECRET; where both are absent, those of the local start whose files are in
 * `dataDirectory`. Throws `AdminConnectionError`.
 */
export async function findAdminConnection(
  environment: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<AdminConnection> {
  const { DATABASE_URL: databaseUrl, APP_SECRET: appSecret } = environment
  if (!databaseUrl && !appSecret) return ofLocalStart(dataDirectory)
  if (!databaseUrl || !appSecret)
    throw new AdminConnectionError(
      `${databaseUrl ? 'APP_SECRET' : 'DATABASE_URL'} is not set: set both, those of the api, or neither beside a local start`,
    )
  if (!secretText.safeParse(appSecret).success)
    throw new AdminConnectionError('APP_SECRET: expected 32 bytes as 64 lower-case hex digits')
  return { databaseUrl, appSecret: Buffer.from(appSecret, 'hex') }
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
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch {
    return null
  }
}
