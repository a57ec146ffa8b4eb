import { getSentTransaction } from '../../../domain/transit/transactions/getSentTransaction.ts'
import type {
  SentTransaction,
  SentTransactionStatus,
  TransactionRevert,
} from '../../../domain/transit/transactions/sentTransaction.ts'
import { required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { enumType } from '../../enumType.ts'
import { readCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'

const StatusRef = enumType<SentTransactionStatus>('TransitSubmissionStatus', {
  description: 'What a node knows of a transaction.',
  values: {
    PENDING: 'The node knows the transaction; no block has it yet.',
    INCLUDED:
      'A block has the transaction, and it succeeded. `orderIds` is empty where it submitted no order.',
    REVERTED: 'A block has the transaction, and it reverted: only its gas was paid.',
    UNKNOWN:
      'The node does not know the transaction: it was not sent, has not reached this node, or was replaced or dropped.',
  },
})

const TransactionRevertRef = builder
  .objectRef<TransactionRevert>('TransitSubmissionRevert')
  .implement({
    description: 'Why a transaction reverted.',
    fields: fieldsOf(() => ({
      reason: nonNull.string(
        'In words: the text of the contract, `QuoteExpired(1700000000)` of an error with arguments, `out of gas`, or `unknown` where the node does not show it.',
      ),
      name: nullable.string(
        'The name of the error (docs/contracts.md), `Error` for a text, `Panic` for a code of Solidity. Null where it is unknown.',
      ),
      arguments: nonNull.of(
        'CallArguments',
        'The arguments of the error. Of an error that is not known, its data, if there are any.',
      ),
    })),
  })

const SentTransactionRef = builder.objectRef<SentTransaction>('TransitSubmission').implement({
  description: 'A transaction that may submit Transit orders, as a node of its chain knows it now.',
  fields: fieldsOf(() => ({
    chainId: nonNull.int('The chain of the transaction.'),
    txHash: nonNull.hash('The hash of the transaction.'),
    status: nonNull.of(StatusRef, 'What the node knows of it.'),
    blockNumber: nullable.blockNumber('The number of its block. Null while no block has it.'),
    confirmations: nonNull.int(
      'How many blocks the chain has from that block to its newest, both counted. 0 while no block has it.',
    ),
    orderIds: nonNull.of(
      ['Hash'],
      'The ids of the orders that it submitted to the transit station of the chain, in the order of its logs.',
    ),
    revert: nullable.of(
      TransactionRevertRef,
      'Why it reverted. Null unless `status` is `REVERTED`.',
    ),
  })),
})

queryField('transitSubmission', {
  type: SentTransactionRef,
  complexity: readCost('calls'),
  description:
    'A transaction that may submit Transit orders, read from a node and at most a second old: for the time before the index has it.',
  args: {
    chainId: required.chainId('The chain of the transaction: the source chain of the order.'),
    txHash: required.hash('The hash of the transaction.'),
  },
  resolve: (_, args, context) => getSentTransaction(context, args),
})
