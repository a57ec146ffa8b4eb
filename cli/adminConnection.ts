import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { findDatabase } from '../processes/configuration/answeringDatabase.ts'
import { withSecretFiles } from '../processes/configuration/secretFiles.ts'
import { apiVariables, loadEnvironment } from '../processes/environment.ts'

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
const secretsFile = z.object({ appSecret: secretText, secretsKey: secretText })

const variables = apiVariables
  .pick({
    DATABASE_URL: true,
    DATABASE_DIRECT_URL: true,
    APP_SECRET: true,
    WEBHOOK_ALLOW_PRIVATE: true,
  })
  .extend({ SECRETS_KEY: apiVariables.shape.SECRETS_KEY.optional() })

/**
 * DATABASE_URL and APP_SECRET, or the files that hold them; where both are absent, those of the local start whose files are in
 * `dataDirectory`. Throws `EnvironmentError`, or `AdminConnectionError` if nothing runs here either.
 */
export async function findAdminConnection(
  environment: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<AdminConnection> {
  const names = ['DATABASE_URL', 'DATABASE_URL_FILE', 'APP_SECRET', 'APP_SECRET_FILE']
  if (!names.some((name) => environment[name])) return ofLocalStart(dataDirectory)
  return withSecretFiles(environment, ofVariables)
}

async function ofVariables(source: NodeJS.ProcessEnv): Promise<AdminConnection> {
  const { APP_SECRET, SECRETS_KEY, WEBHOOK_ALLOW_PRIVATE, ...urls } = loadEnvironment(
    variables,
    source,
  )
  const { directUrl } = await findDatabase(urls)
  return {
    databaseUrl: directUrl,
    appSecret: Buffer.from(APP_SECRET, 'hex'),
    secretsKey: SECRETS_KEY ? Buffer.from(SECRETS_KEY, 'hex') : null,
    allowPrivate: WEBHOOK_ALLOW_PRIVATE === 'true',
  }
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
    secretsKey: Buffer.from(secrets.data.secretsKey, 'hex'),
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
