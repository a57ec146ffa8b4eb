import {
  listVaultTvls,
  type VaultTvl,
  type VaultTvlPage,
  vaultTvlQuery,
} from '../../../domain/earn/series/listVaultTvls.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { includeCurrentArgument, seriesArguments } from './seriesArguments.ts'

const VaultTvlRef = builder.objectRef<VaultTvl>('VaultTvl').implement({
  interfaces: [ChainRowRef],
  description: 'The value of all shares of a vault at a time.',
  fields: fieldsOf(() => ({
    vaultAddress: nonNull.address('The address of the vault.'),
    chainId: nonNull.int('The chain id.'),
    timestamp: nonNull
      .dateTime(
        'The time of the row: a multiple of `interval`, or the time of the read block in a current row.',
      )
      .by(({ timestamp }) => new Date(timestamp * 1_000)),
    interval: nonNull.string('Seconds between two rows.').by(({ interval }) => String(interval)),
    tvl: nonNull.string(
      '`supply * rate`, rounded down, in whole base tokens with all their decimals.',
    ),
    tvlAsset: nonNull.string('The symbol of the base token.'),
    supply: nonNull.amount('The number of all shares, in base units.'),
    rate: nonNull.amount('The price of one whole share, in base units of the base token.'),
    holders: nullable.int('The number of accounts with shares. Null in a current row.'),
    supplyBlock: nullable.blockNumber(
      'The block that set `supply`. Null before the first share and in a current row.',
    ),
    rateBlock: nullable.blockNumber(
      'The block that set `rate`. Null where that is the first rate of the vault, and in a current row.',
    ),
    isCurrent: nonNull.boolean('Whether the row is the current value, read from the chain.'),
  })),
})

const VaultTvlPageRef = pageRef<VaultTvlPage>('VaultTvlPage', {
  description:
    'A page of rows, sorted by time, chain and vault. Current rows count as the newest, though the block of a chain can be some seconds older than the last past row of another.',
  fields: { vaultTvls: nonNull.of([VaultTvlRef], 'The rows.') },
})

listField('vaultTvls', {
  type: VaultTvlPageRef,
  reads: 'history',
  description:
    'Values of vaults over time. Each vault has rows at regular times since its creation, and one of its current value.',
  args: {
    ...seriesArguments,
    ...includeCurrentArgument('its current value'),
  },
  query: vaultTvlQuery,
  list: listVaultTvls,
})
