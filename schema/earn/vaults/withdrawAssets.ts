import { listWithdrawAssets } from '../../../domain/earn/vaults/listWithdrawAssets.ts'
import { optional } from '../../arguments.ts'
import { queryField } from '../../declareRootField.ts'
import { readCost } from '../../fieldCost.ts'
import { withoutNulls } from '../../withoutNulls.ts'

queryField('withdrawAssets', {
  type: 'WithdrawAssetMap',
  complexity: readCost('chains'),
  description:
    'The slippage in basis points by chain id, vault and token, for every token that can be withdrawn. The addresses are lower case. A client that computes its own least amount takes off so much: the amount at the present rate can fall by this until it is paid. All values are the setting of this service, which is also taken off deposits. A withdrawal request itself has no least amount. For a chain that cannot be read, the tokens are those of the address book.',
  args: {
    chainId: optional.chainId('Only the vaults of this chain.'),
    vaultAddress: optional.address('Only this vault. The map is empty where it is none.'),
  },
  resolve: (_, args, context) => listWithdrawAssets(context, withoutNulls(args)),
})
