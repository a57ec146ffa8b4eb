import {
  type GraphQLArgument,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
} from 'graphql'
import { z } from 'zod'
import { parseWithdrawalId } from '../../domain/earn/withdrawals/withdrawalRequest.ts'
import {
  LAST_UNIX_TIME,
  UNIX_TIME_EXPECTED,
  UNIX_TIME_IN_MILLISECONDS,
} from '../../domain/page/unixTime.ts'
import { ADDRESS, isPayableAddress } from '../../domain/token/addressText.ts'
import { isAmount } from '../../domain/token/amount.ts'

const ADDRESS_EXPECTED = 'expected an address: 0x and 40 hex characters'

/** The JSON value of each scalar, as a variable of a document takes it. */
const SCALARS: Record<string, z.ZodType> = {
  Address: z.string().regex(ADDRESS, ADDRESS_EXPECTED),
  PayableAddress: z
    .string()
    .regex(ADDRESS, { error: ADDRESS_EXPECTED, abort: true })
    .refine(isPayableAddress, 'expected its EIP-55 checksum, or an address in one case'),
  Amount: z
    .string()
    .refine(isAmount, 'expected a decimal string in base units, below 2^256')
    .meta({ pattern: '^[0-9]+$' }),
  Hash: z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'expected 32 bytes: 0x and 64 hex characters'),
  WithdrawalRequestId: z
    .string()
    .refine(
      (text) => parseWithdrawalId(text) !== null,
      'expected the id of a withdrawal request: <chainId>:<queue>:<orderIndex>',
    ),
  String: z.string(),
  UnixTime: z
    .number(UNIX_TIME_EXPECTED)
    .int(UNIX_TIME_EXPECTED)
    .min(0, UNIX_TIME_EXPECTED)
    .max(LAST_UNIX_TIME, UNIX_TIME_IN_MILLISECONDS)
    .meta({ format: 'unix-time' }),
  Int: z.int32('expected an integer'),
  Boolean: z.boolean('expected true or false'),
}

/**
 * The type of an argument in a JSON body: `extensions.value` if the argument has one, else the type of
 * its scalar or enum.
 */
export function bodyType({ name, type, extensions }: GraphQLArgument): z.ZodType {
  if (extensions.value instanceof z.ZodType) return extensions.value
  const named = getNamedType(type)
  if (isEnumType(named)) return enumType(named.getValues().map((value) => value.name))
  const scalar = SCALARS[named.name]
  if (!scalar) throw new Error(`Invariant(parameterTypes): no type for ${name}: ${type}`)
  return isListType(getNullableType(type)) ? z.array(scalar) : scalar
}

/** The type of the same argument in a path or query string, where every value is text; a list has commas. */
export function textType(argument: GraphQLArgument): z.ZodType {
  if (isListType(getNullableType(argument.type))) return z.preprocess(partsOf, bodyType(argument))
  const { name } = getNamedType(argument.type)
  if (name === 'Boolean') return enumType(['true', 'false']).transform((text) => text === 'true')
  if (name === 'Int') return z.preprocess(integerOf, bodyType(argument))
  if (name === 'UnixTime') return z.preprocess(timeOf, bodyType(argument))
  return bodyType(argument)
}

function partsOf(text: unknown): unknown {
  return typeof text === 'string' ? text.split(',') : text
}

/** Text that is no integer stays text, which the type of the argument refuses. */
function integerOf(text: unknown): unknown {
  return typeof text === 'string' && /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : text
}

/** Likewise. The deadline of a permit is such text where the API answers it. */
function timeOf(text: unknown): unknown {
  return typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : text
}

function enumType(names: string[]) {
  const [last, ...others] = names.toReversed()
  const first = others.length > 0 ? `${others.toReversed().join(', ')} or ` : ''
  return z.enum(names, `expected ${first}${last}`)
}
