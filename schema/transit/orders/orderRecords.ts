import type { TransitExecution, TransitRemoval } from '../../../domain/transit/orders/order.ts'
import { builder } from '../../builder.ts'

function recordId({ chainId, transactionHash, logIndex }: TransitRemoval): string {
  return `${chainId}-${transactionHash}-${logIndex}`
}

export const TransitExecutionRef = builder
  .objectRef<TransitExecution>('TransitOrderExecuted')
  .implement({
    description: 'One delivery to the receiver; an order may take several.',
    fields: (t) => ({
      id: t.string({
        description: '`<chainId>-<txHash>-<logIndex>` of the event.',
        resolve: recordId,
      }),
      amount: t.expose('amount', {
        type: 'Amount',
        description: 'What was delivered, in want-asset base units.',
      }),
      remaining: t.expose('remaining', {
        type: 'Amount',
        description: 'What the order still owed afterwards, in want-asset base units.',
      }),
      timestamp: t.expose('timestamp', { type: 'UnixTime', description: "The block's time." }),
      txHash: t.expose('transactionHash', { type: 'Hash', description: 'The transaction.' }),
      chainId: t.exposeInt('chainId', { description: 'The chain it happened on.' }),
    }),
  })

export const TransitRemovalRef = builder
  .objectRef<TransitRemoval>('TransitOrderForceRemoved')
  .implement({
    description: 'The removal of an order that can never be delivered.',
    fields: (t) => ({
      id: t.string({
        description: '`<chainId>-<txHash>-<logIndex>` of the event.',
        resolve: recordId,
      }),
      timestamp: t.expose('timestamp', { type: 'UnixTime', description: "The block's time." }),
      txHash: t.expose('transactionHash', { type: 'Hash', description: 'The transaction.' }),
      chainId: t.exposeInt('chainId', { description: 'The chain it happened on.' }),
    }),
  })
