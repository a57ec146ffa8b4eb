import { DEVNET_KEEPER_KEY, DEVNET_QUOTE_SIGNER_KEY } from '../../devnet/accounts.ts'
import { accountVariables } from '../../processes/start/accountVariables.ts'
import { readRunFile } from '../../processes/start/runFile.ts'
import { readSecrets } from '../../processes/start/secrets.ts'
import { type Line, lines } from './line.ts'

export type DoctorVariables = {
  variables: NodeJS.ProcessEnv
  /** Whether they are those of `npm start` with its own chains, which no one takes for production. */
  isLocal: boolean
  /** Shows an operator which of the two is checked. */
  found: Line[]
}

/** The given variables; where they name neither database nor address book, those of the running local start. */
export async function findDoctorVariables(
  source: NodeJS.ProcessEnv,
  dataDirectory: string,
): Promise<DoctorVariables> {
  const { ok, error } = lines('configuration')
  const names = ['DATABASE_URL', 'DATABASE_URL_FILE', 'ADDRESS_BOOK']
  if (names.some((name) => source[name]))
    return { variables: source, isLocal: false, found: ok('the given variables') }
  const run = await readRunFile(dataDirectory)
  // Only a start with local chains names the program that controls them.
  if (run === null || run.devnetCommand.length === 0)
    return {
      variables: source,
      isLocal: false,
      found: error(
        `neither DATABASE_URL nor ADDRESS_BOOK is set, and no start with local chains runs in ${dataDirectory}`,
        'Give the doctor the variables of all processes together, or run npm start first.',
      ),
    }
  const secrets = await readSecrets(dataDirectory)
  const variables = {
    DATABASE_URL: run.databaseUrl,
    ADDRESS_BOOK: run.addressBook,
    ...(secrets ? { APP_SECRET: secrets.appSecret, SECRETS_KEY: secrets.secretsKey } : {}),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...Object.fromEntries(
      Object.entries(run.rpcUrls).flatMap(([id, url]) => [
        [`RPC_URL_${id}`, url],
        [`WS_URL_${id}`, url.replace(/^http/, 'ws')],
      ]),
    ),
    ...Object.fromEntries(Object.entries(source).filter(([, value]) => value)),
    ...accountVariables('QUOTE_SIGNER', source, DEVNET_QUOTE_SIGNER_KEY),
    ...accountVariables('SMART_DEPOSIT_KEEPER', source, DEVNET_KEEPER_KEY),
  }
  return { variables, isLocal: true, found: ok(`the local start in ${dataDirectory}`) }
}
