import type { PreparedCall } from '../domain/call/preparedCall.ts'
import { builder } from './builder.ts'
import { fieldsOf, nonNull } from './fieldsOf.ts'

export const PreparedTransactionRef = builder
  .objectRef<PreparedCall>('PreparedTransaction')
  .implement({
    description:
      'A transaction for the user to sign and send unchanged. The service has not sent it.',
    fields: fieldsOf(() => ({
      to: nonNull.address('The contract to call.'),
      value: nonNull.amount('Native currency to send with the call, in wei.'),
      data: nonNull.string('The calldata: 0x and hex characters.'),
      abi: nonNull
        .of(
          ['String'],
          'Human-readable ABI fragments of the call: first its structs, last the function.',
        )
        .by(({ abi }) => [...abi]),
      functionName: nonNull.string('The name of the function to call.'),
      args: nonNull.of(
        'CallArguments',
        'The arguments of the call. Encoded with `abi` and `functionName` they are `data`.',
      ),
    })),
  })
