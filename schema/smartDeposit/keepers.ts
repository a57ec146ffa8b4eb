import {
  type KeeperAccount,
  type KeeperPage,
  keeperQuery,
  type ListedKeeper,
  listKeepers,
} from '../../domain/smartDeposit/keeperList.ts'
import { builder } from '../builder.ts'
import { listCost } from '../fieldCost.ts'
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
  fields: (t) => ({
    account: t.expose('account', { type: 'Address', description: 'The account.' }),
    balance: t.expose('balance', {
      type: 'Amount',
      nullable: true,
      description: 'The coins of the account in wei. Null while no node answers.',
    }),
    nonce: t.exposeInt('nonce', {
      nullable: true,
      description: 'The number of its mined transactions. Null while no node answers.',
    }),
  }),
})

const KeeperRef = builder.objectRef<ListedKeeper>('Keeper').implement({
  description: 'The keeper of a chain: it forwards payments into vaults.',
  fields: (t) => ({
    chainId: t.exposeInt('chainId', { description: 'The chain id.' }),
    accounts: t.expose('accounts', {
      type: [KeeperAccountRef],
      complexity: listCost(4),
      description:
        'The accounts that send the transactions, each for a part of the addresses. None without a key.',
    }),
    isRunning: t.exposeBoolean('isRunning', {
      description: 'Whether a worker keeps the chain at this moment.',
    }),
    hold: t.expose('hold', {
      type: KeeperHoldRef,
      nullable: true,
      description: 'Why the keeper sends nothing for now. Null while it sends.',
    }),
    spentToday: t.expose('spentToday', {
      type: 'Amount',
      description:
        'The cost of its transactions of the last 24 hours in wei, with the most that open ones can cost.',
    }),
    spentThisHour: t.expose('spentThisHour', {
      type: 'Amount',
      description: 'The same of the last hour.',
    }),
    maxSpendPerHour: t.expose('maxSpendPerHour', {
      type: 'Amount',
      description: 'The most that it may spend in an hour, in wei.',
    }),
    pendingCount: t.exposeInt('pendingCount', {
      description: 'The number of payments that wait for their first attempt.',
    }),
    retainedCount: t.exposeInt('retainedCount', {
      description: 'The number of retained payments, which are tried again.',
    }),
    openTransactionCount: t.exposeInt('openTransactionCount', {
      description: 'The number of its transactions that are not mined.',
    }),
    foreignTransferCount: t.exposeInt('foreignTransferCount', {
      description:
        'The number of transfers of other tokens, about which an operator has not decided.',
    }),
    unplacedTransferCount: t.exposeInt('unplacedTransferCount', {
      description:
        'The number of transfers whose position in their transaction no node shows. They wait, and are looked at again.',
    }),
    unexplainedBalanceCount: t.exposeInt('unexplainedBalanceCount', {
      description:
        'The number of addresses that hold more than their known payments. The logs are searched again and again.',
    }),
    unscreenedPaymentCount: t.exposeInt('unscreenedPaymentCount', {
      description:
        'The number of payments that wait because the provider that screens payers gives no answer.',
    }),
    unpaidConversionCount: t.exposeInt('unpaidConversionCount', {
      description:
        'The number of payments whose Transit orders have not paid all of them for an hour.',
    }),
    lagSeconds: t.exposeFloat('lagSeconds', {
      nullable: true,
      description:
        'The seconds since the last pass of the keeper in which nothing failed. Null if no worker has kept the chain.',
    }),
    failing: t.exposeStringList('failing', {
      description: 'The steps that failed in its last pass. The others were done.',
    }),
    oldestWaitingAt: t.expose('oldestWaitingAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time of the oldest payment that is not settled. Null without one.',
    }),
    block: t.expose('block', {
      type: 'BlockNumber',
      nullable: true,
      description: 'The newest block whose payments were read. Null before the first.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'The time at which payments were last read. Null before the first.',
    }),
  }),
})

const KeeperPageRef = pageRef<KeeperPage>('KeeperPage', {
  description: 'A page of keepers by chain.',
  fields: (t) => ({
    keepers: t.expose('keepers', { type: [KeeperRef], description: 'The keepers.' }),
  }),
})

listField('keepers', {
  type: KeeperPageRef,
  reads: 'chains',
  description:
    'The keeper of every chain with smart deposits: its coins, what it spends, and what waits for it. For operators.',
  query: keeperQuery,
  list: listKeepers,
})
