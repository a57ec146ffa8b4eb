import { OLDEST_READ_SECONDS } from '../../../domain/earn/vaults/deploymentCache.ts'
import {
  listVaultAssets,
  type VaultAsset,
  type VaultAssetPage,
  vaultAssetQuery,
} from '../../../domain/earn/vaults/listVaultAssets.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { fieldsOf, nonNull } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'

const VaultAssetRef = builder.objectRef<VaultAsset>('VaultAsset').implement({
  interfaces: [ChainRowRef],
  description: 'Whether a vault takes and pays out one token.',
  fields: fieldsOf(() => ({
    vaultAddress: nonNull.address('The address of the vault.'),
    chainId: nonNull.int('The chain id.'),
    assetAddress: nonNull.address('The address of the token.'),
    depositable: nonNull.boolean('Whether the token can be deposited.'),
    withdrawable: nonNull.boolean('Whether the token can be withdrawn.'),
  })),
})

const VaultAssetPageRef = pageRef<VaultAssetPage>('VaultAssetPage', {
  description: 'A page of assets, sorted by chain, vault and token.',
  fields: { vaultAssets: nonNull.of([VaultAssetRef], 'The assets.') },
  tokens: {
    of: ({ vaultAssets }) =>
      vaultAssets.map(({ chainId, assetAddress: address }) => ({ chainId, address })),
  },
})

listField('vaultAssets', {
  type: VaultAssetPageRef,
  reads: 'chains',
  description: `Every token of every vault, and whether it can be deposited and withdrawn. The values were read from the chains at most ${OLDEST_READ_SECONDS} s before the answer. Older ones are \`stale\`.`,
  query: vaultAssetQuery,
  list: listVaultAssets,
})
