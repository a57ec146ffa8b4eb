import { getSmartDeposit, placeOfCaller } from '../../domain/smartDeposit/getSmartDeposit.ts'
import type { SmartDeposit, SmartDepositEvent } from '../../domain/smartDeposit/smartDeposit.ts'
import { builder } from '../builder.ts'
import { listCost, readCost } from '../fieldCost.ts'
import { resourceOf, resourceStates } from '../resourceStates.ts'
import { SmartDepositStatusRef } from './status.ts'

const SmartDepositEventRef = builder.objectRef<SmartDepositEvent>('SmartDepositEvent').implement({
  description: 'One thing that your organization was told of a deposit.',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'That of the webhook.' }),
    type: t.exposeString('type', { description: 'As in `smart_deposit.deposit.pending`.' }),
    timestamp: t.expose('timestamp', { type: 'DateTime', description: 'When it was recorded.' }),
    sequence: t.exposeInt('sequence', { description: 'Within the deposit, from 1.' }),
    receiptTxHash: t.expose('paymentTxHash', {
      type: 'Hash',
      description: 'The transfer to the address, as it was then.',
    }),
    forwardTxHash: t.expose('forwardTxHash', {
      type: 'Hash',
      nullable: true,
      description: 'What put it into the vault or sent it back; null for neither.',
    }),
    recoveryTxHash: t.expose('recoveryTxHash', {
      type: 'Hash',
      nullable: true,
      description: 'What swept it to the recovery wallet; null for nothing.',
    }),
  }),
})

export const SmartDepositRef = builder.objectRef<SmartDeposit>('SmartDeposit').implement({
  description: 'A transfer to a smart deposit address, as your organization was told of it.',
  fields: (t) => ({
    depositId: t.expose('depositId', { type: 'Hash', description: 'As all its webhooks say it.' }),
    status: t.expose('status', { type: SmartDepositStatusRef, description: 'How far it is.' }),
    remediation: t.exposeString('remediation', {
      nullable: true,
      description: '`refunded`, `recovered` or `retained`; null unless FAILED.',
    }),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why, for humans: it may change. Null unless FAILED.',
    }),
    chainId: t.exposeInt('chainId', { description: 'The chain.' }),
    smartDepositAddress: t.expose('smartDepositAddress', {
      type: 'Address',
      description: 'Where it came.',
    }),
    userDestinationAddress: t.expose('userDestinationAddress', {
      type: 'Address',
      description: 'Who gets the shares.',
    }),
    vaultAddress: t.expose('vaultAddress', { type: 'Address', description: 'The vault.' }),
    inputToken: t.expose('inputToken', { type: 'Address', description: 'What came.' }),
    customerId: t.exposeString('customerId', {
      nullable: true,
      description: 'Your id of the customer; null where none was given.',
    }),
    receivedAmount: t.expose('receivedAmount', {
      type: 'Amount',
      description: 'Base units of `inputToken`.',
    }),
    mintedAmount: t.expose('mintedAmount', {
      type: 'Amount',
      nullable: true,
      description: 'Shares, base units; null until CONFIRMED.',
    }),
    receiptTxHash: t.expose('paymentTxHash', {
      type: 'Hash',
      description: 'The transfer to the address.',
    }),
    receiptTxBlockHash: t.expose('paymentTxBlockHash', { type: 'Hash', description: 'Its block.' }),
    forwardTxHash: t.expose('forwardTxHash', {
      type: 'Hash',
      nullable: true,
      description: 'What put it into the vault or sent it back; null for neither.',
    }),
    forwardTxBlockHash: t.expose('forwardTxBlockHash', {
      type: 'Hash',
      nullable: true,
      description: 'Its block.',
    }),
    recoveryTxHash: t.expose('recoveryTxHash', {
      type: 'Hash',
      nullable: true,
      description: 'What swept it to the recovery wallet; null for nothing.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was seen.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Of its last change.' }),
    timeline: t.expose('timeline', {
      type: [SmartDepositEventRef],
      complexity: listCost(4),
      description: 'What your organization was told of it, the oldest first.',
    }),
  }),
})

const args = builder.args((t) => ({
  depositId: t.field({ type: 'Hash', required: true, description: 'As its webhooks say it.' }),
}))

builder.queryField('smartDeposit', (t) =>
  t.field({
    type: SmartDepositRef,
    nullable: true,
    complexity: readCost('index'),
    description: 'One smart deposit by its id. Errors: `SMART_DEPOSIT_NOT_FOUND`.',
    args,
    resolve: (_, { depositId }, context) => getSmartDeposit(context, depositId),
  }),
)

builder.subscriptionField('smartDeposit', (t) =>
  t.field({
    type: SmartDepositRef,
    nullable: true,
    complexity: readCost('index'),
    description:
      'One smart deposit: its present state first, then one for each thing that your organization is told of it. An unknown one is awaited.',
    args,
    subscribe: (_, { depositId }, context) =>
      resourceStates({
        id: placeOfCaller(context, depositId),
        watch: context.smartDepositWatch,
        read: () => getSmartDeposit(context, depositId),
        awaited: ['SMART_DEPOSIT_NOT_FOUND'],
      }),
    resolve: resourceOf,
  }),
)
