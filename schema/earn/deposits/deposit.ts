import { depositReceivers, depositViolations } from '../../../domain/earn/deposits/depositParams.ts'
import { depositFromAnywhere } from '../../../domain/journey/depositFromAnywhere.ts'
import { type AnyDepositParams, journeyViolations } from '../../../domain/journey/journeyParams.ts'
import { receiverViolations } from '../../../domain/receiver/refuseReceivers.ts'
import { checkedBy } from '../../argumentChecks.ts'
import { optional, required, SIGNATURE_ARGUMENT } from '../../arguments.ts'
import { queryField } from '../../declareRootField.ts'
import { readCost } from '../../fieldCost.ts'
import { PreviewedTransactionRef } from '../../previewedTransaction.ts'
import { withoutNulls } from '../../withoutNulls.ts'

queryField('deposit', {
  type: PreviewedTransactionRef,
  complexity: readCost('preparation'),
  description:
    'Prepares the transaction that deposits into a vault. Errors: `CHAIN_NOT_FOUND`, `VAULT_NOT_FOUND` and others (docs/errors.md).',
  args: {
    vaultAddress: required.payableAddress('The address of the vault.'),
    depositAsset: required.payableAddress('The address of the token to deposit.'),
    depositAmount: optional.amount(
      'The amount to deposit, in base units of `depositAsset`; of `sourceAsset` where that is given. Required unless `wantShares` is given.',
    ),
    userAddress: required.payableAddress('The account that signs and sends the transaction.'),
    chainId: required.chainId('The chain of the vault.'),
    sourceChainId: optional.chainId(
      'The chain on which the user pays, if it is another, or pays with another token. Required with `sourceAsset`.',
    ),
    sourceAsset: optional.payableAddress(
      "The token that the user pays with on `sourceChainId`. Where the two are not the vault's chain and `depositAsset`, the transaction is a Transit order to the user's smart deposit address, which this call registers: the key also needs the permission `smart-deposits`.",
    ),
    wantShares: optional.amount(
      'Instead of `depositAmount`, with `sourceAsset`: the shares that the user shall get, in base units. The order has the least offer that gives them at the present rate and fee.',
    ),
    customerId: optional.string(
      'Your own id of the customer, with `sourceAsset`: 1 to 256 of a-zA-Z0-9_-.',
    ),
    to: optional.payableAddress('The account that receives the shares. By default `userAddress`.'),
    permitSignature: optional.string(
      'The signature of an EIP-2612 permit: 65 bytes in hex. Required with `permitDeadline`.',
      SIGNATURE_ARGUMENT,
    ),
    permitDeadline: optional.unixTime(
      'The deadline of the signed permit, in Unix seconds. Required with `permitSignature`.',
    ),
    simulate: required.boolean(
      'Whether to simulate the transaction first. The simulation assumes the balance and the allowance.',
      { defaultValue: false },
    ),
  },
  extensions: checkedBy<AnyDepositParams>((args, { named, context }) => [
    ...depositViolations(args, named),
    ...journeyViolations(args, named),
    ...receiverViolations(context.addressBook, depositReceivers(args)),
  ]),
  resolve: (_, args, context) => depositFromAnywhere(context, withoutNulls(args)),
})
