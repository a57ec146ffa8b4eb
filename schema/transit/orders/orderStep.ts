import type { TransitOrderStep, TransitStep } from '../../../domain/transit/orders/transitOrder.ts'
import { builder } from '../../builder.ts'
import { enumType } from '../../enumType.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'

const TransitStepRef = enumType<TransitStep>('TransitStep', {
  description: 'What happened to a Transit order in one step.',
  values: {
    SUBMITTED: 'Submitted on the source chain: the offer left the sender.',
    BRIDGED: 'The source sent the message to the destination. Not for an order on one chain.',
    RECEIVED: 'The destination queued the order.',
    EXECUTED: 'The destination paid the receiver, the whole order or a part.',
    PROCESSED: 'Nothing is unpaid after the execution before this step.',
    REMOVED: 'The order was removed on the destination: it is paid no more.',
    TOMBSTONED:
      'The order id was used on the destination before the order arrived there: it can never be delivered.',
  },
})

export const TransitOrderStepRef = builder
  .objectRef<TransitOrderStep>('TransitOrderStep')
  .implement({
    description: 'One step of a Transit order, on either of its chains.',
    fields: fieldsOf(() => ({
      step: nonNull.of(TransitStepRef, 'What happened.'),
      chainId: nonNull.int('The chain of the transaction.'),
      txHash: nonNull.hash('The hash of the transaction.').from('transactionHash'),
      blockNumber: nonNull
        .blockNumber('The number of its block.')
        .by(({ blockNumber }) => BigInt(blockNumber)),
      timestamp: nonNull.unixTime('The time of the block.'),
      amount: nullable.amount(
        'SUBMITTED: the offered amount, in base units of `offerAsset`. RECEIVED: the amount due; EXECUTED: the paid amount, both in base units of `wantAsset`. Other steps have none.',
      ),
      remaining: nullable.amount(
        'RECEIVED, EXECUTED, PROCESSED and REMOVED: the amount that was unpaid afterwards, in base units of `wantAsset`. Other steps have none.',
      ),
      finalized: nonNull.boolean(
        "Whether the step is at least as deep as its chain's finality depth.",
      ),
    })),
  })
