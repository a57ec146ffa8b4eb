import type { Address, Hex } from 'viem'
import { z } from 'zod'
import type { FilterKeys } from '../../domain/filter/filter.ts'

/** An address in any case; lower case once parsed. */
export const addressParam = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, 'expected an address: 0x and 40 hex characters')
  .transform((value) => value.toLowerCase() as Address)

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
