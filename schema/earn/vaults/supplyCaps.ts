import { OLDEST_READ_SECONDS } from '../../../domain/earn/vaults/deploymentCache.ts'
import {
  listSupplyCaps,
  type SupplyCap,
  type SupplyCapPage,
  supplyCapQuery,
} from '../../../domain/earn/vaults/listSupplyCaps.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'

const SupplyCapRef = builder.objectRef<SupplyCap>('SupplyCap').implement({
  interfaces: [ChainRowRef],
  description:
    'The supply of a vault on one chain and its cap. Amounts are in whole base tokens with all their decimals.',
  fields: fieldsOf(() => ({
    vaultAddress: nonNull.address('The address of the vault.'),
    chainId: nonNull.int('The chain id.'),
    totalSupplyInBase: nonNull.string(
      'The value of all shares, as the depositor computes it for the cap.',
    ),
    supplyCap: nullable.string(
      'The largest value of all shares after a deposit. Null without a cap.',
    ),
    percentageFilled: nullable.string(
      '`totalSupplyInBase` of `supplyCap` in percent, with four decimals. 100.0000 where the cap is 0, null without a cap.',
    ),
  })),
})

const SupplyCapPageRef = pageRef<SupplyCapPage>('SupplyCapPage', {
  description: 'A page of supply caps, sorted by chain and vault.',
  fields: { supplyCaps: nonNull.of([SupplyCapRef], 'The supply caps.') },
})

listField('supplyCaps', {
  type: SupplyCapPageRef,
  reads: 'chains',
  description: `Supply and cap of every vault that takes deposits. The values were read from the chains at most ${OLDEST_READ_SECONDS} s before the answer. Older ones are \`stale\`.`,
  query: supplyCapQuery,
  list: listSupplyCaps,
})
