import { OLDEST_READ_SECONDS } from '../../../domain/earn/vaults/deploymentCache.ts'
import {
  type LiquidityShortfall,
  type LiquidityShortfallPage,
  liquidityShortfallQuery,
  listLiquidityShortfalls,
} from '../../../domain/earn/withdrawals/listLiquidityShortfalls.ts'
import { amountOf } from '../../amountOf.ts'
import { builder } from '../../builder.ts'
import { ChainRowRef } from '../../chainRow.ts'
import { fieldsOf, nonNull, nullable } from '../../fieldsOf.ts'
import { listField } from '../../listField.ts'
import { pageRef } from '../../page.ts'
import { assetsAndShares } from './assetsAndShares.ts'
import { QueueBlockRef } from './withdrawalRequest.ts'

const LiquidityShortfallRef = builder
  .objectRef<LiquidityShortfall>('LiquidityShortfall')
  .implement({
    interfaces: [ChainRowRef],
    description:
      'A token of which a vault holds less than its pending withdrawal requests ask for, or for which a request holds up the queue. Cancelled requests do not count. Amounts are in base units.',
    fields: fieldsOf(() => ({
      vaultAddress: nonNull.address('The address of the vault.'),
      chainId: nonNull.int('The chain id.'),
      assetAddress: nonNull.address('The token that the requests ask for.'),
      pendingOrderCount: nonNull.int('The number of pending requests.'),
      pendingShares: nonNull.amount('The shares that the requests offer.', {
        extensions: amountOf('vaultAddress'),
      }),
      pendingAssets: nonNull.amount(
        'The amount that the queue would pay for them now, after its fee.',
        { extensions: amountOf('assetAddress') },
      ),
      vaultBalance: nonNull.amount("The vault's balance of the token.", {
        extensions: amountOf('assetAddress'),
      }),
      shortfall: nonNull.amount(
        '`pendingAssets` less `vaultBalance`. 0 where the balance suffices and `blockedBy` holds up the queue.',
        { extensions: amountOf('assetAddress') },
      ),
      blockedBy: nullable.of(
        QueueBlockRef,
        'The request that holds up the queue of the vault. It is a request for one of the tokens, and nothing is paid behind it. Else null.',
      ),
    })),
  })

const LiquidityShortfallPageRef = pageRef<LiquidityShortfallPage>('LiquidityShortfallPage', {
  description: 'A page of shortfalls, sorted by chain, vault and token.',
  fields: { liquidityShortfalls: nonNull.of([LiquidityShortfallRef], 'The shortfalls.') },
  tokens: {
    description: 'The tokens of this page, and the shares.',
    of: ({ liquidityShortfalls }) => assetsAndShares(liquidityShortfalls),
  },
})

listField('liquidityShortfalls', {
  type: LiquidityShortfallPageRef,
  reads: 'chains',
  description: `Vaults that hold less of a token than their pending withdrawal requests ask for, or whose queue a request holds up. Requests come from the index; prices and balances were read from the chains at most ${OLDEST_READ_SECONDS} s before the answer. Older ones are \`stale\`.`,
  query: liquidityShortfallQuery,
  list: listLiquidityShortfalls,
})
