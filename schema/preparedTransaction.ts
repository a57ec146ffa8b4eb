import type { PreparedCall } from '../domain/chain/preparedCall.ts'
import { builder } from './builder.ts'

export const PreparedTransactionRef = builder
  .objectRef<PreparedCall>('PreparedTransaction')
  .implement({
    description: 'A transaction for its sender to sign and send as it is; nothing was sent.',
    fields: (t) => ({
      to: t.expose('to', { type: 'Address', description: 'The contract.' }),
      value: t.expose('value', { type: 'Amount', description: 'Native currency, in wei.' }),
      data: t.exposeString('data', { description: 'The calldata, hex.' }),
      abi: t.stringList({
        description:
          'Human-readable fragments of what is called: the structs first, the function last.',
        resolve: ({ abi }) => [...abi],
      }),
      functionName: t.exposeString('functionName', { description: 'The called function.' }),
      args: t.expose('args', {
        type: 'CallArguments',
        description: 'Encoded with `abi` and `functionName` they give `data`.',
      }),
    }),
  })
