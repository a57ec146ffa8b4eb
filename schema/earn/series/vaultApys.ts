import type { ApyWindows } from '../../../domain/earn/series/growthNow.ts'
import {
  listVaultApys,
  type VaultApy,
  type VaultApyPage,
  vaultApyQuery,
} from '../../../domain/earn/series/listVaultApys.ts'
import { apyWindowParam, DEFAULT_APY_WINDOW } from '../../../domain/earn/series/seriesParameters.ts'
import { required } from '../../arguments.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { includeCurrentArgument, seriesArguments } from './seriesArguments.ts'

const ApyWindowsRef = builder.objectRef<ApyWindows>('ApyWindows').implement({
  description:
    'The growth of the share price of a vault up to now as a yearly rate, in percent, each measured over a time of its own. A field is null for a vault younger than its time, and where `apy` would be null.',
  fields: fieldsOf(() => ({
    day: nullable.string('Over the last day.'),
    week: nullable.string('Over the last 7 days.'),
    month: nullable.string('Over the last 30 days.'),
    sinceLaunch: nullable.string('Over the whole life of the vault.'),
  })),
})

const VaultApyRef = builder.objectRef<VaultApy>('VaultApy').implement({
  interfaces: [ChainRowRef],
  description: 'The growth of the share price of a vault up to a time, as a yearly rate.',
  fields: fieldsOf(() => ({
    vaultAddress: nonNull.address('The address of the vault.'),
    chainId: nonNull.int('The chain id.'),
    timestamp: nonNull
      .dateTime(
        'The time of the row: a multiple of `interval`, or the time of the read block in a current row.',
      )
      .by(({ timestamp }) => new Date(timestamp * 1_000)),
    interval: nonNull.string('Seconds between two rows.').by(({ interval }) => String(interval)),
    apy: nullable.string(
      '`((endRate / startRate) ^ (31536000 / windowSeconds) - 1) * 100`, in percent with up to 12 decimals. Null where it is above 10^40 or `startRate` is 0.',
    ),
    windowSeconds: nonNull.int(
      'Seconds from `startTime` to `timestamp`: `apyWindow`, or the age of a younger vault, at least a day.',
    ),
    startTime: nonNull
      .dateTime('The time from which growth is counted.')
      .by(({ startTime }) => new Date(startTime * 1_000)),
    startRate: nonNull.amount(
      'The price of one whole share at `startTime`, in base units of the base token.',
    ),
    endRate: nonNull.amount(
      'The price of one whole share at `timestamp`, in base units of the base token.',
    ),
    startBlock: nullable.blockNumber(
      'The block that set `startRate`. Null where that is the first rate of the vault.',
    ),
    endBlock: nullable.blockNumber(
      'The block that set `endRate`. Null where that is the first rate of the vault, and in a current row.',
    ),
    isCurrent: nonNull.boolean('Whether the row is of now, with `endRate` read from the chain.'),
    windows: nullable
      .of(
        ApyWindowsRef,
        'The rates over other times up to now. Null in every row but the current one.',
      )
      .by(async ({ now }, context) => (await now?.(context))?.windows ?? null),
    grossApy: nullable
      .string(
        "`apy` before the accountant's fees: with `endRate` increased by the fees that the rate updates within the window accrued, each divided by the shares at that update. In percent with up to 12 decimals. Null in every row but the current one, where `apy` would be null, and where the index does not have the fees.",
      )
      .by(async ({ now }, context) => (await now?.(context))?.grossApy ?? null),
  })),
})

const VaultApyPageRef = pageRef<VaultApyPage>('VaultApyPage', {
  description:
    'A page of rows, sorted by time, chain and vault. Current rows count as the newest, though the block of a chain can be some seconds older than the last past row of another.',
  fields: { vaultApys: nonNull.of([VaultApyRef], 'The rows.') },
})

listField('vaultApys', {
  type: VaultApyPageRef,
  reads: 'history',
  description:
    'Yearly growth rates of vaults over time. Each vault has rows at regular times since it was a day old, and one of now.',
  args: {
    ...seriesArguments,
    apyWindow: required.int(
      'Seconds of growth before the time of a row, in full hours, at least a day. A younger vault counts from its creation.',
      { defaultValue: DEFAULT_APY_WINDOW, extensions: { value: apyWindowParam } },
    ),
    ...includeCurrentArgument('the growth up to now'),
  },
  query: vaultApyQuery,
  list: listVaultApys,
})
