import type { z } from 'zod'
import type { DatabaseUrls } from '../db/resolveDatabaseUrls.ts'
import type { AddressBook } from '../domain/addressBook/addressBook.ts'
import { httpAttestationProvider } from '../domain/earn/deposits/attestationProvider.ts'
import type { ChainUrls } from './configuration/chainUrls.ts'
import type { apiVariables, workerVariables } from './environment.ts'
import type { ServiceContextOptions } from './serviceContext.ts'

type GivenConfiguration = DatabaseUrls & {
  environment: z.output<typeof apiVariables> | z.output<typeof workerVariables>
  addressBook: AddressBook
  chainUrls: Map<number, ChainUrls>
}

/** The context options that api and worker share. */
export function serviceOptions({
  environment,
  addressBook,
  chainUrls,
  databaseUrl,
  directUrl,
}: GivenConfiguration): Omit<ServiceContextOptions, 'applicationName' | 'quoteSigner' | 'logger'> {
  return {
    databaseUrl,
    directUrl,
    addressBook,
    chainUrls,
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
