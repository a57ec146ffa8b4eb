import { DEVNET_KEEPER_KEY, DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import { readRunFile } from '../../processes/start/runFile.ts'
import { loadSecrets } from '../../processes/start/secrets.ts'

/** The given variables; where they name neither database nor address book, those of the running local start. */
export async function findDoctorVariables(
  source: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<NodeJS.ProcessEnv> {
  const names = ['DATABASE_URL', 'DATABASE_URL_FILE', 'ADDRESS_BOOK']
  const run = names.some((name) => source[name]) ? null : await readRunFile(dataDirectory)
  if (run === null) return source
  const { appSecret, secretsKey } = await loadSecrets(dataDirectory)
  return {
    ...source,
    DATABASE_URL: run.databaseUrl,
    ADDRESS_BOOK: run.addressBook,
    APP_SECRET: appSecret,
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    QUOTE_SIGNER_PRIVATE_KEY: DEVNET_QUOTE_SIGNER_KEY,
    SMART_DEPOSIT_KEEPER_PRIVATE_KEY: DEVNET_KEEPER_KEY,
    ...Object.fromEntries(
      Object.entries(run.rpcUrls).flatMap(([id, url]) => [
        [`RPC_URL_${id}`, url],
        [`WS_URL_${id}`, url.replace(/^http/, 'ws')],
      ]),
    ),
  }
}
