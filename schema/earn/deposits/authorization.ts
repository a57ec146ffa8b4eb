import { chainIdParam } from '../../../domain/chain/chainId.ts'
import {
  type DepositAuthorization,
  type DepositAuthorizationParams,
  depositAuthorization,
  depositAuthorizationViolations,
} from '../../../domain/earn/deposits/depositAuthorization.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { builder } from '../../builder.ts'
import { readCost } from '../../fieldCost.ts'

const DepositAuthorizationMethodRef = builder.enumType('DepositAuthorizationMethod', {
  description: 'What an owner has to do before a deposit.',
  values: {
    permit: { description: 'Sign the permit (EIP-712, primary type Permit).' },
    approval: { description: 'Send the approval to the token and wait for its receipt.' },
    already_approved: { description: 'Nothing.' },
  } satisfies Record<DepositAuthorization['method'], { description: string }>,
})

type Approval = { encoded: string; requiresFollowUp: boolean }

const ApprovalTransactionRef = builder.objectRef<Approval>('ApprovalTransaction').implement({
  description: 'A call of the token by its owner.',
  fields: (t) => ({
    encoded: t.exposeString('encoded', { description: 'The calldata, hex.' }),
    requiresFollowUp: t.boolean({
      nullable: true,
      description: 'True where it only takes the present approval back: ask again after it.',
      resolve: ({ requiresFollowUp }) => requiresFollowUp || null,
    }),
  }),
})

const DepositAuthorizationRef = builder
  .objectRef<DepositAuthorization>('DepositAuthorization')
  .implement({
    description: "The best way to let a vault's depositor take an amount.",
    fields: (t) => ({
      method: t.expose('method', {
        type: DepositAuthorizationMethodRef,
        description: 'What to do; nothing when it is approved already.',
      }),
      permitData: t.field({
        type: 'PermitData',
        nullable: true,
        description: 'What to sign; null where it is not a permit.',
        resolve: (found) => (found.method === 'permit' ? found.permitData : null),
      }),
      approvalTransaction: t.field({
        type: ApprovalTransactionRef,
        nullable: true,
        description: 'What to send to the token; null where it is not an approval.',
        resolve: (found) => (found.method === 'approval' ? found.approvalTransaction : null),
      }),
    }),
  })

builder.queryField('depositAuthorization', (t) =>
  t.field({
    type: DepositAuthorizationRef,
    nullable: true,
    complexity: readCost('calls'),
    description: "How a user can let a vault's depositor take a deposit.",
    args: {
      vaultAddress: t.arg({ type: 'PayableAddress', required: true, description: 'The vault.' }),
      tokenAddress: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'The token to deposit.',
      }),
      amount: t.arg({ type: 'Amount', required: true, description: 'Base units of the token.' }),
      userAddress: t.arg({
        type: 'PayableAddress',
        required: true,
        description: 'Who will deposit.',
      }),
      chainId: t.arg.int({
        required: true,
        description: 'The chain of the vault.',
        extensions: { value: chainIdParam },
      }),
    },
    extensions: checkedBy<DepositAuthorizationParams>(depositAuthorizationViolations),
    resolve: (_, params, context) => depositAuthorization(context, params),
  }),
)
