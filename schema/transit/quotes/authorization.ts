import {
  authorizationViolations,
  type TransitAuthorizationParams,
  transitAuthorization,
} from '../../../domain/transit/quotes/transitAuthorization.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { optional, required } from '../../arguments.ts'
import { AuthorizationRef } from '../../authorization.ts'
import { queryField } from '../../declareRootField.ts'
import { readCost } from '../../fieldCost.ts'
import { withoutNulls } from '../../withoutNulls.ts'

queryField('transitAuthorization', {
  type: AuthorizationRef,
  complexity: readCost('calls'),
  description:
    'The ways in which a user can let the transit station of a chain take an offer. The transit station is the contract that takes in and pays out orders.',
  args: {
    tokenAddress: required.payableAddress('The address of the token to offer.'),
    amount: required.amount('The amount to offer, in base units of the token.'),
    userAddress: required.payableAddress('The account that will send the order.'),
    chainId: required.chainId('The source chain.'),
    spenderAddress: optional.payableAddress(
      "The chain's transit station. This is also the default.",
    ),
  },
  extensions: checkedBy<TransitAuthorizationParams>((args, { context }) =>
    authorizationViolations(context, args),
  ),
  resolve: (_, args, context) => transitAuthorization(context, withoutNulls(args)),
})
