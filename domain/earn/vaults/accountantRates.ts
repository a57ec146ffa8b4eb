import { accountantAbi } from '../../../abis/accountant.ts'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import type { ChainClients } from '../../chain/chainClients.ts'
import { mustRead } from '../../chain/gatheredReads.ts'
import { createSharedDeploymentReads, type SharedDeploymentReads } from './sharedDeploymentReads.ts'

/** What a whole share is worth in the base, in its base units. */
export type AccountantRate = { exchangeRate: bigint }

/** Only what an index lacks is asked for here, and that stays until it has it. */
const LIFE_MS = 60_000

/** The rates that the accountants of every chain say, at most a minute ago. */
export function createAccountantRates(
  book: AddressBook,
  chains: ChainClients,
): SharedDeploymentReads<AccountantRate> {
  return createSharedDeploymentReads(book, chains, {
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
