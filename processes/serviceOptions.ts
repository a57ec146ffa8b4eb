import type { z } from 'zod'
import { type DatabaseUrls, resolveDatabaseUrls } from '../db/resolveDatabaseUrls.ts'
import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { httpAttestationProvider } from '../domain/earn/deposits/attestationProvider.ts'
import { type apiVariables, loadChainUrls, type workerVariables } from './environment.ts'
import type { ServiceContextOptions } from './serviceContext.ts'

/** The context options that api and worker share. Throws `AddressBookError`, `EnvironmentError`
 * and `DatabaseUrlError`. */
export async function serviceOptions(
  environment: z.output<typeof apiVariables> | z.output<typeof workerVariables>,
): Promise<
  DatabaseUrls & Omit<ServiceContextOptions, 'applicationName' | 'quoteSigner' | 'logger'>
> {
  const addressBook = await loadAddressBook(environment.ADDRESS_BOOK)
  const chainIds = addressBook.chains.map(({ id }) => id)
  return {
    ...(await resolveDatabaseUrls(environment)),
    addressBook,
    chainUrls: loadChainUrls(chainIds, process.env),
    appSecret: Buffer.from(environment.APP_SECRET, 'hex'),
    secretsKey: Buffer.from(environment.SECRETS_KEY, 'hex'),
    webhookTargets: { allowPrivate: environment.WEBHOOK_ALLOW_PRIVATE === 'true' },
    attestations: environment.ATTESTATION_URL
      ? httpAttestationProvider(environment.ATTESTATION_URL, environment.ATTESTATION_API_KEY ?? '')
      : null,
    settings: {
      quoteTtlSeconds: environment.QUOTE_TTL_SECONDS,
      permitTtlSeconds: environment.PERMIT_TTL_SECONDS,
      messageFeeHeadroomPercent: environment.MESSAGE_FEE_HEADROOM_PERCENT,
      depositSlippageBps: environment.DEPOSIT_SLIPPAGE_BPS,
    },
  }
}
