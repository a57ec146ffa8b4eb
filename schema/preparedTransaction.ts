import type { PreparedCall } from '../domain/call/preparedCall.ts'
import { builder } from './builder.ts'

export const PreparedTransactionRef = builder
  .objectRef<PreparedCall>('PreparedTransaction')
  .implement({
    description:
      'A transaction for the user to sign and send unchanged. The service has not sent it.',
    fields: (t) => ({
      to: t.expose('to', { type: 'Address', description: 'The contract to call.' }),
      value: t.expose('value', {
        type: 'Amount',
        description: 'Native currency to send with the call, in wei.',
      }),
      data: t.exposeString('data', { description: 'The calldata: 0x and hex characters.' }),
      abi: t.stringList({
        description:
          'Human-readable ABI fragments of the call: first its structs, last the function.',
        resolve: ({ abi }) => [...abi],
      }),
      functionName: t.exposeString('functionName', {
        description: 'The name of the function to call.',
      }),
      args: t.expose('args', {
        type: 'CallArguments',
        description:
          'The arguments of the call. Encoded with `abi` and `functionName` they are `data`.',
      }),
    }),
  })
