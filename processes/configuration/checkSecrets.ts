import { EnvironmentError } from './environmentError.ts'

/** Throws `EnvironmentError` for one secret in both places: whoever learns one would have what the other protects. */
export async function checkSecrets({ APP_SECRET, SECRETS_KEY }: NodeJS.ProcessEnv): Promise<void> {
  if (APP_SECRET && APP_SECRET === SECRETS_KEY)
    throw new EnvironmentError([
      'SECRETS_KEY: is equal to APP_SECRET. Make a second one: openssl rand -hex 32.',
    ])
}
