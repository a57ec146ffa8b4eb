import { zeroAddress } from 'viem'
import type { OpenBook } from '../../../sdk/src/shield/book.ts'
import type { Intent, TakeBackIntent } from '../../../sdk/src/shield/intent.ts'
import {
  at,
  BOOK,
  casesOf,
  factory,
  type OfflineCase,
  other,
  requestOfTaking,
  takeBack,
  takingOf,
  usdg,
} from './offlineWorld.ts'

/** Users who take back what lies at their smart deposit addresses. */
export function takeBackCases(): OfflineCase[] {
  const t = casesOf(takeBack)
  const taking = takingOf()
  const words = takeBack as TakeBackIntent
  const ofCustomer = { customerId: 'one', organizationId: '2f6a1c5e-8d3b-4b7a-9c1e-5f0d7e8a9b10' }
  const withCustomer = { ...words, inputs: { ...words.inputs, ...ofCustomer } } as Intent
  return [
    t('a request', null, requestOfTaking()),
    t('a taking', null, taking),
    casesOf({ ...words, token: zeroAddress })('a taking of coins', null, takingOf({}, zeroAddress)),
    casesOf({ ...words, token: at('77') })(
      'a taking of a token that is in no book',
      null,
      takingOf({}, at('77')),
    ),
    casesOf(withCustomer)('a taking of a customer', null, takingOf(ofCustomer)),
    t('a taking of a customer of nobody', 'WRONG_ADDRESS', takingOf(ofCustomer)),
    t('a taking elsewhere', 'WRONG_CONTRACT', { ...taking, to: other }),
    t('a taking at a factory that has none', 'WRONG_CONTRACT', { ...taking, to: factory }),
    t('a taking on another chain', 'WRONG_CHAIN', { ...taking, chainId: 1 }),
    t('a taking with coins', 'VALUE_TOO_HIGH', { ...taking, value: 1n }),
    t('a taking of another token', 'WRONG_TOKEN', takingOf({}, at('77'))),
    t('a taking by another', 'WRONG_ACCOUNT', takingOf({ userDestinationAddress: other })),
    t('a request by another', 'WRONG_ACCOUNT', requestOfTaking({ userDestinationAddress: other })),
    t(
      'a taking from the address of another vault',
      'WRONG_ADDRESS',
      takingOf({ vaultAddress: other }),
    ),
    t(
      'a taking from the address of another token',
      'WRONG_ADDRESS',
      takingOf({ inputToken: usdg }),
    ),
    t(
      'a request for the address of another chain',
      'WRONG_ADDRESS',
      requestOfTaking({ chainId: 2 }),
    ),
    {
      ...t('a taking where the book has no such factory', 'NOT_IN_BOOK', taking),
      book: {
        ...BOOK,
        chains: BOOK.chains.map((chain) => ({ ...chain, smartDepositFactories: [] })),
        // Cast, because only `openBook` makes an open book: this one is that of another installation.
      } as unknown as OpenBook,
    },
  ]
}
