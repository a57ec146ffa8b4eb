import { z } from 'zod'

const EXPECTED = 'expected a chain id'

/** An EVM chain id that GraphQL's Int can hold. */
export const chainIdParam = z
  .number(EXPECTED)
  .int(EXPECTED)
  .min(1, EXPECTED)
  .max(2 ** 31 - 1, EXPECTED)
