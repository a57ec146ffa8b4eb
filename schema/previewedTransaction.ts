import type { PreviewedCall } from '../domain/chain/preparedCall.ts'
import { builder } from './builder.ts'
import { PreparedTransactionRef } from './preparedTransaction.ts'

const PreviewRef = builder.objectRef<PreviewedCall['preview']>('TransactionPreview').implement({
  description: 'What is known now of the outcome of a prepared transaction.',
  fields: (t) => ({
    gasLimit: t.expose('gasLimit', {
      type: 'Amount',
      nullable: true,
      description:
        "A gas limit to send with: the node's estimate and 20 %. It assumes the balance and the allowance, so it is there before the approval too. Null where it cannot be estimated: the node cannot estimate with these assumptions, takes too long for it, or the call would fail now.",
    }),
  }),
})

const inTransaction = { deprecationReason: 'Read it in `transaction`.' }

/** The fields of the transaction are here too, because clients already read them here. */
export const PreviewedTransactionRef = builder
  .objectRef<PreviewedCall>('PreviewedTransaction')
  .implement({
    description: 'A transaction for the user to sign and send, and what is known of its outcome.',
    fields: (t) => ({
      transaction: t.field({
        type: PreparedTransactionRef,
        description: 'The transaction.',
        resolve: ({ transaction }) => transaction,
      }),
      preview: t.expose('preview', { type: PreviewRef, description: 'Its outcome.' }),
      to: t.field({
        ...inTransaction,
        type: 'Address',
        description: 'The contract to call.',
        resolve: ({ transaction }) => transaction.to,
      }),
      value: t.field({
        ...inTransaction,
        type: 'Amount',
        description: 'Native currency to send with the call, in wei.',
        resolve: ({ transaction }) => transaction.value,
      }),
      data: t.string({
        ...inTransaction,
        description: 'The calldata.',
        resolve: ({ transaction }) => transaction.data,
      }),
      abi: t.stringList({
        ...inTransaction,
        description: 'ABI fragments of the call.',
        resolve: ({ transaction }) => [...transaction.abi],
      }),
      functionName: t.string({
        ...inTransaction,
        description: 'The name of the function to call.',
        resolve: ({ transaction }) => transaction.functionName,
      }),
      args: t.field({
        ...inTransaction,
        type: 'CallArguments',
        description: 'The arguments of the call.',
        resolve: ({ transaction }) => transaction.args,
      }),
    }),
  })
