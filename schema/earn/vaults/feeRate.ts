import { percentage } from '../../../domain/earn/vaults/shareMath.ts'
import { builder } from '../../builder.ts'

/** A rate in basis points. */
export const FeeRateRef = builder.objectRef<bigint>('FeeRate').implement({
  description: 'A fee as part of an amount.',
  fields: (t) => ({
    bps: t.int({ description: 'Basis points.', resolve: (bps) => Number(bps) }),
    percentage: t.string({
      description: 'The same in percent, with four decimals: `0.1000` for 10 bps.',
      resolve: percentage,
    }),
  }),
})
