import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { FilterKeys } from '../../domain/filter/filter.ts'
import { ADDRESS, isPayableAddress } from '../../domain/token/addressText.ts'
import { isAmount } from '../../domain/token/amount.ts'

const ADDRESS_EXPECTED = 'expected an address: 0x and 40 hex characters'

/** An address in any case; lower case once parsed. */
export const addressParam = z
  .string()
  .regex(ADDRESS, ADDRESS_EXPECTED)
  .transform((value) => value.toLowerCase() as Address)

/** An address that funds follow: a wrong checksum is refused; lower case once parsed. */
export const payableAddressParam = z
  .string()
  .regex(ADDRESS, { error: ADDRESS_EXPECTED, abort: true })
  .refine(isPayableAddress, 'expected its EIP-55 checksum, or an address in one case')
  .transform((value) => value.toLowerCase() as Address)

/** Base units as a decimal string. */
export const amountParam = z
  .string()
  .refine(isAmount, 'expected a decimal string in base units, below 2^256')
  .transform(BigInt)

/** The index of a withdrawal order, a decimal string. */
export const orderIndexParam = z
  .string()
  .refine(isAmount, 'expected a decimal string')
  .transform(BigInt)
  .describe('Exactly as a withdrawal request has it.')

const CHAIN_ID = 'expected a chain id'
export const chainIdParam = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, CHAIN_ID)
  .transform(Number)
  .pipe(
    z
      .number()
      .int()
      .min(1)
      .max(2 ** 31 - 1, CHAIN_ID),
  )

/** The same in a JSON body, where it is a number. */
export const chainIdField = z
  .number(CHAIN_ID)
  .int(CHAIN_ID)
  .min(1, CHAIN_ID)
  .max(2 ** 31 - 1, CHAIN_ID)

const UNIX_TIME = 'expected Unix time in seconds'

/** Seconds since 1970. */
export const unixTimeParam = z
  .string()
  .regex(/^\d{1,16}$/, UNIX_TIME)
  .transform(Number)
  .refine(Number.isSafeInteger, UNIX_TIME)

/** `true` or `false`; false when absent. */
export const flagParam = z
  .enum(['true', 'false'], 'expected true or false')
  .default('false')
  .transform((value) => value === 'true')

/** Which parts of a prepared transaction are given. */
export const responseFormatParam = z
  .enum(['encoded', 'full', 'structured'], 'expected encoded, full or structured')
  .default('encoded')
  .describe(
    '`encoded`: `data`; `structured`: `abi`, `functionName` and `args`; `full`: all of them.',
  )

/** 32 bytes in any case; lower case once parsed. */
export const hashParam = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, 'expected 32 bytes: 0x and 64 hex characters')
  .transform((value) => value.toLowerCase() as Hex)

/** A filter expression; the read parses it, for both wires alike. */
export function filterParam(keys: FilterKeys) {
  return z
    .string()
    .optional()
    .describe(`A filter expression (docs/filters.md). Keys: ${Object.keys(keys).join(', ')}.`)
}

const MAX_WAIT_SECONDS = 30
const WAIT_SECONDS = `expected an integer from 0 to ${MAX_WAIT_SECONDS}`

/** How long to hold the request while there is no news. */
export const waitSecondsParam = z
  .string()
  .regex(/^\d{1,9}$/, WAIT_SECONDS)
  .transform(Number)
  .pipe(z.number().int().min(0).max(MAX_WAIT_SECONDS, WAIT_SECONDS))
  .optional()
  .describe(
    'Holds the request for up to so many seconds until there is news: a state that `If-None-Match` does not name, or, without that header, the resource itself.',
  )
