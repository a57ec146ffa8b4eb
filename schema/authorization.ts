import type { Authorization, AuthorizationMethod } from '../domain/token/detectAuthorization.ts'
import { builder } from './builder.ts'
import { listCost } from './fieldCost.ts'
import { fieldsOf, nonNull, nullable } from './fieldsOf.ts'

const AuthorizationTransactionRef = builder
  .objectRef<{ encoded: string }>('AuthorizationTransaction')
  .implement({
    description: 'An approval, to be sent to the token by its holder.',
    fields: fieldsOf(() => ({
      encoded: nonNull.string('The calldata: 0x and hex characters.'),
    })),
  })

const AuthorizationMethodRef = builder
  .objectRef<AuthorizationMethod>('AuthorizationMethod')
  .implement({
    description: 'One way to let the spender take the amount.',
    fields: fieldsOf(() => ({
      type: nonNull.string('`eip2612_permit` or `erc20_approve`.'),
      description: nonNull.string('The step in words. The text may change.'),
      permitData: nullable
        .of('PermitData', 'The typed data to sign. Null for an approval.')
        .by((method) => (method.type === 'eip2612_permit' ? method.permitData : null)),
      transaction: nullable
        .of(AuthorizationTransactionRef, 'The call to send to the token. Null for a permit.')
        .by((method) => (method.type === 'erc20_approve' ? method.transaction : null)),
      requiresFollowUp: nullable
        .boolean(
          'True where this approval only resets the present allowance: request the authorization again after it is mined. Otherwise null.',
        )
        .by((method) => (method.type === 'erc20_approve' && method.requiresFollowUp ? true : null)),
    })),
  })

export const AuthorizationRef = builder.objectRef<Authorization>('Authorization').implement({
  description: 'The ways in which the holder of a token can let a spender take an amount.',
  fields: fieldsOf(() => ({
    spenderAddress: nonNull.address('The contract that will take the tokens.'),
    alreadyApproved: nonNull.boolean('Whether the present allowance is enough.'),
    methods: nonNull.of(
      [AuthorizationMethodRef],
      'Every way that will work, the best first. Empty where `alreadyApproved` is true.',
      { complexity: listCost(2) },
    ),
  })),
})
