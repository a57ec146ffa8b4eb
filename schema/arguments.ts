import {
  type FieldRequiredness,
  InputFieldBuilder,
  type InputShapeFromTypeParam,
  type InputType,
} from '@pothos/core'
import { chainIdParam } from '../domain/chain/chainId.ts'
import { builder } from './builder.ts'

/** The pattern of a permit's signature in OpenAPI. The domain checks the signature itself. */
export const SIGNATURE_ARGUMENT = {
  extensions: { described: { pattern: '^0x[0-9a-fA-F]{130}$' } },
}

type Types = typeof builder.$inferSchemaTypes
type Type = InputType<Types> | [InputType<Types>]

/** Options that only a few arguments need. */
type MoreOfArgument<Given extends Type> = {
  defaultValue?: NonNullable<InputShapeFromTypeParam<Types, Given, true>>
  extensions?: Record<string, unknown>
}

const arg = new InputFieldBuilder<Types, 'Arg'>(builder, 'Arg').argBuilder()

function argumentsThat<Required extends boolean>(required: Required) {
  const of = <Given extends Type>(type: Given, description: string, more?: MoreOfArgument<Given>) =>
    arg<Given, Required & FieldRequiredness<Given>>({
      type,
      required,
      description,
      ...more,
      // Cast, because Pothos infers the types of an argument from a literal.
    } as never)
  const byType =
    <Given extends Type>(type: Given) =>
    (description: string, more?: MoreOfArgument<Given>) =>
      of(type, description, more)
  return {
    /** By any type of the schema. */
    of,
    address: byType('Address'),
    amount: byType('Amount'),
    boolean: byType('Boolean'),
    chainId: (description: string) =>
      of('Int', description, { extensions: { value: chainIdParam } }),
    hash: byType('Hash'),
    int: byType('Int'),
    payableAddress: byType('PayableAddress'),
    string: byType('String'),
    unixTime: byType('UnixTime'),
  }
}

/** Arguments that every call has, or that have a default, by their types, each with its description. */
export const required = argumentsThat(true)

/** Arguments that may be missing. */
export const optional = argumentsThat(false)
