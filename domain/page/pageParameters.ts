import { z } from 'zod'

export const MAX_PAGE_SIZE = 100
export const DEFAULT_PAGE_SIZE = 25

const EXPECTED = `expected an integer from 1 to ${MAX_PAGE_SIZE}`

/** Rows per page. */
export const pageSizeParam = z
  .number(EXPECTED)
  .int(EXPECTED)
  .min(1, EXPECTED)
  .max(MAX_PAGE_SIZE, EXPECTED)
