import type {
  TransitExecution,
  TransitRemoval,
} from '../../../domain/transit/orders/transitOrder.ts'
import { builder } from '../../builder.ts'
import { fieldsOf, nonNull } from '../../fieldsOf.ts'

type LogPlace = Pick<TransitRemoval, 'chainId' | 'transactionHash' | 'logIndex'>

function recordId({ chainId, transactionHash, logIndex }: LogPlace): string {
  return `${chainId}-${transactionHash}-${logIndex}`
}

export const TransitExecutionRef = builder
  .objectRef<TransitExecution>('TransitOrderExecuted')
  .implement({
    description: 'An execution: one payment to the receiver. An order may have several.',
    fields: fieldsOf(() => ({
      id: nonNull.string('`<chainId>-<txHash>-<logIndex>` of the event.').by(recordId),
      amount: nonNull.amount('The paid amount, in base units of `wantAsset`.'),
      remaining: nonNull.amount(
        'The amount that was unpaid afterwards, in base units of `wantAsset`.',
      ),
      timestamp: nonNull.unixTime('The time of the block.'),
      txHash: nonNull.hash('The hash of the transaction.').from('transactionHash'),
      chainId: nonNull.int('The chain of the transaction.'),
    })),
  })

export const TransitRemovalRef = builder
  .objectRef<TransitRemoval>('TransitOrderForceRemoved')
  .implement({
    description: 'The removal of an order that can never be delivered.',
    fields: fieldsOf(() => ({
      id: nonNull.string('`<chainId>-<txHash>-<logIndex>` of the event.').by(recordId),
      timestamp: nonNull.unixTime('The time of the block.'),
      txHash: nonNull.hash('The hash of the transaction.').from('transactionHash'),
      chainId: nonNull.int('The chain of the transaction.'),
    })),
  })
