import type { Authorization, AuthorizationMethod } from '../domain/token/detectAuthorization.ts'
import { builder } from './builder.ts'
import { listCost } from './fieldCost.ts'

const AuthorizationTransactionRef = builder
  .objectRef<{ encoded: string }>('AuthorizationTransaction')
  .implement({
    description: 'A call of the token by its owner.',
    fields: (t) => ({ encoded: t.exposeString('encoded', { description: 'The calldata, hex.' }) }),
  })

const AuthorizationMethodRef = builder
  .objectRef<AuthorizationMethod>('AuthorizationMethod')
  .implement({
    description: 'One way to let the spender take the amount.',
    fields: (t) => ({
      type: t.exposeString('type', { description: '`eip2612_permit` or `erc20_approve`.' }),
      description: t.exposeString('description', { description: 'What to do, for people.' }),
      permitData: t.field({
        type: 'PermitData',
        nullable: true,
        description: 'What to sign; null where it is not a permit.',
        resolve: (method) => (method.type === 'eip2612_permit' ? method.permitData : null),
      }),
      transaction: t.field({
        type: AuthorizationTransactionRef,
        nullable: true,
        description: 'What to send to the token; null where it is not an approval.',
        resolve: (method) => (method.type === 'erc20_approve' ? method.transaction : null),
      }),
      requiresFollowUp: t.boolean({
        nullable: true,
        description: 'True where the approval only takes the present one back: ask again after it.',
        resolve: (method) =>
          method.type === 'erc20_approve' && method.requiresFollowUp ? true : null,
      }),
    }),
  })

export const AuthorizationRef = builder.objectRef<Authorization>('Authorization').implement({
  description: 'How an owner can let a spender take an amount of a token.',
  fields: (t) => ({
    spenderAddress: t.expose('spenderAddress', { type: 'Address', description: 'The spender.' }),
    alreadyApproved: t.exposeBoolean('alreadyApproved', {
      description: 'Whether the present allowance is enough.',
    }),
    methods: t.expose('methods', {
      type: [AuthorizationMethodRef],
      complexity: listCost(2),
      description: 'Every way that will work, best first; none when it is approved already.',
    }),
  }),
})
