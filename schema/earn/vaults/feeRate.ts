import { percentage } from '../../../domain/earn/vaults/shareMath.ts'
import { builder } from '../../builder.ts'
import { fieldsOf, nonNull } from '../../fieldsOf.ts'

/** A rate in basis points. */
export const FeeRateRef = builder.objectRef<bigint>('FeeRate').implement({
  description: 'A fee as a fraction of an amount.',
  fields: fieldsOf(() => ({
    bps: nonNull.int('The fee in basis points.').by((bps) => Number(bps)),
    percentage: nonNull
      .string('The fee in percent with four decimals: `0.1000` for 10 basis points.')
      .by(percentage),
  })),
})
