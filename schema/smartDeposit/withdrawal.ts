import {
  type SmartDepositWithdrawal,
  smartDepositWithdrawal,
  type TakingState,
} from '../../domain/smartDeposit/smartDepositWithdrawal.ts'
import { required } from '../arguments.ts'
import { builder } from '../builder.ts'
import { queryField } from '../declareRootField.ts'
import { enumType } from '../enumType.ts'
import { readCost } from '../fieldCost.ts'
import { fieldsOf, nonNull, nullable } from '../fieldsOf.ts'
import { PreparedTransactionRef } from '../preparedTransaction.ts'

const TakingStateRef = enumType<TakingState>('SmartDepositWithdrawalState', {
  description: 'How far the user is with taking back what lies at a smart deposit address.',
  values: {
    NOT_REQUESTED: 'Next is the request, which begins the delay.',
    WAITING: 'The delay runs until `opensAt`.',
    OPEN: 'Next is the taking, until `closesAt`.',
    MISSED: 'The time is over. Next is the request again.',
  },
})

const WithdrawalRef = builder
  .objectRef<SmartDepositWithdrawal>('SmartDepositWithdrawal')
  .implement({
    description:
      'What the user of a smart deposit address can do alone to take back what lies there.',
    fields: fieldsOf(() => ({
      state: nonNull.of(TakingStateRef, 'How far the user is.'),
      opensAt: nullable.dateTime('From when on the user may take. Null unless requested.'),
      closesAt: nullable.dateTime('Until when the user may take. Null unless requested.'),
      delaySeconds: nonNull.int('The seconds from a request to `opensAt`.'),
      amount: nonNull.amount(
        'What lies at the address of this token, in base units. All of it is taken.',
      ),
      transaction: nullable.of(
        PreparedTransactionRef,
        'The next call, which the user must send: `requestWithdrawal` or `withdraw`. Null while the delay runs, and where nothing lies.',
      ),
      userDestinationAddress: nonNull.address(
        'The user, who sends both calls and gets what is taken.',
      ),
      vaultAddress: nonNull.address('The vault of the address.'),
      inputToken: nonNull.address('The token that the address deposits.'),
      vaultChainId: nonNull
        .int('The chain of the vault and `inputToken`.')
        .by(({ chainId }) => chainId),
      customerId: nullable.string('Your own id of the customer. Null without one.'),
      organizationId: nullable.string(
        'The organization that is part of the address. Null without a customer.',
      ),
    })),
  })

queryField('smartDepositWithdrawal', {
  type: WithdrawalRef,
  complexity: readCost('calls'),
  description:
    'Prepares the next transaction with which the user of a smart deposit address takes back what lies there, without the operator: first the request, and after its delay the taking. Only for addresses that are the same on every chain.',
  args: {
    smartDepositAddress: required.address('A smart deposit address of your organization.'),
    chainId: required.chainId(
      "The chain on which the money lies. It can be another one than the vault's.",
    ),
    token: required.address("The token that lies there. The zero address is the chain's coin."),
  },
  resolve: (_, args, context) => smartDepositWithdrawal(context, args),
})
