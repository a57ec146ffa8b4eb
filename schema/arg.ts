import { type ArgBuilder, type FieldRequiredness, InputFieldBuilder } from '@pothos/core'
import { builder } from './builder.ts'

type Types = typeof builder.$inferSchemaTypes
type Scalar = 'Address' | 'Amount' | 'Hash' | 'PayableAddress' | 'UnixTime'

const ofPothos: ArgBuilder<Types> = new InputFieldBuilder<Types, 'Arg'>(builder, 'Arg').argBuilder()

/** Declares an argument of a root field, by its type: `arg.int({ … })`, `arg.address({ … })`, `arg({ type, … })`. */
export const arg = Object.assign(ofPothos, {
  address: ofScalar('Address'),
  amount: ofScalar('Amount'),
  hash: ofScalar('Hash'),
  payableAddress: ofScalar('PayableAddress'),
  unixTime: ofScalar('UnixTime'),
})

function ofScalar<Type extends Scalar>(type: Type) {
  return <Required extends FieldRequiredness<Type> = false>(
    options: Omit<PothosSchemaTypes.ArgFieldOptions<Types, Type, Required>, 'type'>,
  ) =>
    ofPothos<Type, Required>({ ...options, type } as PothosSchemaTypes.ArgFieldOptions<
      Types,
      Type,
      Required
    >)
}
