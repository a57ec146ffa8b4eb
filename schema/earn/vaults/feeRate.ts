import { percentage } from '../../../domain/earn/vaults/shareMath.ts'
import { builder } from '../../builder.ts'

/** A rate in basis points. */
export const FeeRateRef = builder.objectRef<bigint>('FeeRate').implement({
  description: 'A fee as a fraction of an amount.',
  fields: (t) => ({
    bps: t.int({ description: 'The fee in basis points.', resolve: (bps) => Number(bps) }),
    percentage: t.string({
      description: 'The fee in percent with four decimals: `0.1000` for 10 basis points.',
      resolve: percentage,
    }),
  }),
})
