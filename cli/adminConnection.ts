import { findDatabase } from '../processes/configuration/answeringDatabase.ts'
import { withSecretFiles } from '../processes/configuration/secretFiles.ts'
import { apiVariables, loadEnvironment } from '../processes/environment.ts'
import { readRunFile } from '../processes/start/runFile.ts'
import { readSecrets } from '../processes/start/secrets.ts'

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
  const run = await readRunFile(dataDirectory)
  const secrets = await readSecrets(dataDirectory)
  if (run === null || secrets === null)
    throw new AdminConnectionError(
      'No database: set DATABASE_URL and APP_SECRET, or run npm start first (its .causeway/run.json is read then)',
    )
  return {
    databaseUrl: run.databaseUrl,
    appSecret: Buffer.from(secrets.appSecret, 'hex'),
    secretsKey: Buffer.from(secrets.secretsKey, 'hex'),
    allowPrivate: true,
  }
}
