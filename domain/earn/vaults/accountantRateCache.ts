import { accountantAbi } from '../../../abis/accountant.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { ChainReading } from '../../chain/chainReading.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import { createDeploymentCache, type DeploymentCache } from './deploymentCache.ts'

/** The rate of a vault's accountant: base units of the base per whole share. */
export type AccountantRate = { exchangeRate: bigint }

/** Only rates that the index lacks are read here; they do not change before their first indexed update. */
const LIFE_MS = 60_000

/** The rates of all vaults' accountants, chain by chain, kept for a minute. */
export function createAccountantRateCache(
  book: AddressBook,
  reading: ChainReading,
): DeploymentCache<AccountantRate> {
  return createDeploymentCache(book, reading, {
    name: 'accountant_rates',
    lifeMs: LIFE_MS,
    read: async (client, { accountant: address }) => ({
      exchangeRate: await mustRead(client, {
        address,
        abi: accountantAbi,
        functionName: 'getRate',
      }),
    }),
  })
}
