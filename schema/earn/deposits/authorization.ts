import type {
  AuthorizationPreference,
  DepositAuthorization,
} from '../../../domain/earn/deposits/depositAuthorization.ts'
import {
  type JourneyAuthorizationParams,
  journeyAuthorization,
  journeyAuthorizationViolations,
} from '../../../domain/journey/journeyAuthorization.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { optional, required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { queryField } from '../../declareRootField.ts'
import { enumType } from '../../enumType.ts'
import { readCost } from '../../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { withoutNulls } from '../../withoutNulls.ts'

const DepositAuthorizationMethodRef = enumType<DepositAuthorization['method']>(
  'DepositAuthorizationMethod',
  {
    description: 'The step that the user must take before a deposit or a withdrawal request.',
    values: {
      permit: 'Sign the permit (EIP-712, primary type Permit).',
      approval: 'Send the approval to the token and wait for its transaction receipt.',
      already_approved:
        'No step: the allowance is enough, or the withdrawal would be paid at once.',
    },
  },
)

const AuthorizationPreferenceRef = enumType<AuthorizationPreference>('AuthorizationPreference', {
  description: 'The step to offer where a permit and an approval would both work.',
  values: {
    permit: 'The permit.',
    approval: 'The approval: for a wallet that cannot sign typed data.',
  },
})

type Approval = { encoded: string; requiresFollowUp: boolean }

const ApprovalTransactionRef = builder.objectRef<Approval>('ApprovalTransaction').implement({
  description: 'An approval, to be sent to the token by its holder.',
  fields: fieldsOf(() => ({
    encoded: nonNull.string('The calldata: 0x and hex characters.'),
    requiresFollowUp: nullable
      .boolean(
        'True where this approval only resets the present allowance: request the authorization again after it is mined. Otherwise null.',
      )
      .by(({ requiresFollowUp }) => requiresFollowUp || null),
  })),
})

const DepositAuthorizationRef = builder
  .objectRef<DepositAuthorization>('DepositAuthorization')
  .implement({
    description:
      "The best way to let a vault's depositor contract take an amount, or its queue an amount of its shares.",
    fields: fieldsOf(() => ({
      spenderAddress: nonNull.address(
        'The contract that will take the tokens: the depositor, or the queue for shares.',
      ),
      method: nonNull.of(DepositAuthorizationMethodRef, 'The step to take.'),
      permitData: nullable
        .of('PermitData', 'The typed data to sign. Null unless `method` is `permit`.')
        .by((found) => (found.method === 'permit' ? found.permitData : null)),
      approvalTransaction: nullable
        .of(
          ApprovalTransactionRef,
          'The call to send to the token. Null unless `method` is `approval`.',
        )
        .by((found) => (found.method === 'approval' ? found.approvalTransaction : null)),
    })),
  })

queryField('depositAuthorization', {
  type: DepositAuthorizationRef,
  complexity: readCost('calls'),
  description:
    "How a user can let a vault's depositor contract take a deposit, or its queue take shares: by a permit, by an approval, or without a further step.",
  args: {
    vaultAddress: required.payableAddress('The address of the vault.'),
    tokenAddress: required.payableAddress(
      'The address of the token to deposit; or the address of the vault, for its shares to be withdrawn.',
    ),
    amount: required.amount('The amount to deposit or to withdraw, in base units of the token.'),
    userAddress: required.payableAddress('The account that will deposit or withdraw.'),
    chainId: required.chainId('The chain of the vault.'),
    wantAsset: optional.payableAddress(
      "For shares: the token to receive, on which it depends whether the withdrawal is paid at once. By default the base token, or the vault's first asset where the base is no token.",
    ),
    sourceChainId: optional.chainId(
      'The chain on which the user pays, if it is another, or pays with another token. Then the answer is for the station of that chain. Required with `sourceAsset`.',
    ),
    sourceAsset: optional.payableAddress(
      'The token that the user pays with on `sourceChainId`; `amount` is of it.',
    ),
    prefer: optional.of(
      AuthorizationPreferenceRef,
      '`approval` asks for the approval also where a permit would work: for a wallet that cannot sign typed data.',
      { defaultValue: 'permit' },
    ),
  },
  extensions: checkedBy<JourneyAuthorizationParams>((args, { named }) =>
    journeyAuthorizationViolations(args, named),
  ),
  resolve: (_, params, context) => journeyAuthorization(context, withoutNulls(params)),
})
