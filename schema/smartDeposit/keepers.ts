import {
  type KeeperAccount,
  type KeeperPage,
  keeperQuery,
  type ListedKeeper,
  listKeepers,
} from '../../domain/smartDeposit/keeperList.ts'
import { builder } from '../builder.ts'
import { listCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { listField } from '../listField.ts'
import { pageRef } from '../page.ts'

const KeeperHoldRef = builder.enumType('KeeperHold', {
  description: 'Why a keeper sends nothing for now.',
  values: {
    FEE: { value: 'fee', description: "The chain's base fee is above the ceiling." },
    BUDGET: { value: 'budget', description: "This hour's budget is used up." },
  } as const,
})

const KeeperAccountRef = builder.objectRef<KeeperAccount>('KeeperAccount').implement({
  description: "One of the accounts that send a keeper's transactions.",
  fields: fieldsOf(() => ({
    account: nonNull.address('The account.'),
    balance: nullable.amount('The coins of the account in wei. Null while no node answers.'),
    nonce: nullable.int('The number of its mined transactions. Null while no node answers.'),
  })),
})

const KeeperRef = builder.objectRef<ListedKeeper>('Keeper').implement({
  description: 'The keeper of a chain: it forwards payments into vaults.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain id.'),
    accounts: nonNull.of(
      [KeeperAccountRef],
      'The accounts that send the transactions, each for a part of the addresses. None without a key.',
      { complexity: listCost(4) },
    ),
    isRunning: nonNull.boolean('Whether a worker keeps the chain at this moment.'),
    hold: nullable.of(KeeperHoldRef, 'Why the keeper sends nothing for now. Null while it sends.'),
    spentToday: nonNull.amount(
      'The cost of its transactions of the last 24 hours in wei, with the most that open ones can cost.',
    ),
    spentThisHour: nonNull.amount('The same of the last hour.'),
    maxSpendPerHour: nonNull.amount('The most that it may spend in an hour, in wei.'),
    pendingCount: nonNull.int('The number of payments that wait for their first attempt.'),
    retainedCount: nonNull.int('The number of retained payments, which are tried again.'),
    openTransactionCount: nonNull.int('The number of its transactions that are not mined.'),
    foreignTransferCount: nonNull.int(
      'The number of transfers of other tokens, about which an operator has not decided.',
    ),
    unplacedTransferCount: nonNull.int(
      'The number of transfers whose position in their transaction no node shows. They wait, and are looked at again.',
    ),
    unexplainedBalanceCount: nonNull.int(
      'The number of addresses that hold more than their known payments. The logs are searched again and again.',
    ),
    unscreenedPaymentCount: nonNull.int(
      'The number of payments that wait because the provider that screens payers gives no answer.',
    ),
    unpaidConversionCount: nonNull.int(
      'The number of payments whose Transit orders have not paid all of them for an hour.',
    ),
    lagSeconds: nullable.float(
      'The seconds since the last pass of the keeper in which nothing failed. Null if no worker has kept the chain.',
    ),
    failing: nonNull.of(
      ['String'],
      'The steps that failed in its last pass. The others were done.',
    ),
    oldestWaitingAt: nullable.dateTime(
      'The time of the oldest payment that is not settled. Null without one.',
    ),
    block: nullable.blockNumber(
      'The newest block whose payments were read. Null before the first.',
    ),
    updatedAt: nullable.dateTime(
      'The time at which payments were last read. Null before the first.',
    ),
  })),
})

const KeeperPageRef = pageRef<KeeperPage>('KeeperPage', {
  description: 'A page of keepers by chain.',
  fields: { keepers: nonNull.of([KeeperRef], 'The keepers.') },
})

listField('keepers', {
  type: KeeperPageRef,
  reads: 'chains',
  description:
    'The keeper of every chain with smart deposits: its coins, what it spends, and what waits for it. For operators.',
  query: keeperQuery,
  list: listKeepers,
})
