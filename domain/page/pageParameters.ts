import { z } from 'zod'

export const MAX_PAGE_SIZE = 100
export const DEFAULT_PAGE_SIZE = 25

const EXPECTED = `expected an integer from 1 to ${MAX_PAGE_SIZE}`

/** Rows per page, from a query string's text or from a number; 25 when absent. */
export const pageSizeParam = z
  .union(
    [
      z
        .string()
        .regex(/^[1-9]\d{0,8}$/)
        .transform(Number),
      z.number(),
    ],
    EXPECTED,
  )
  .pipe(z.number(EXPECTED).int(EXPECTED).min(1, EXPECTED).max(MAX_PAGE_SIZE, EXPECTED))
  .default(DEFAULT_PAGE_SIZE)
  .describe(`Rows per page, 1 to ${MAX_PAGE_SIZE}.`)

/** The token of the page before. */
const pageTokenParam = z
  .string()
  .optional()
  .describe('`nextPageToken` of the page before, with the same parameters.')

/** Both, for a list's parameters. */
export const pageParameters = { pageSize: pageSizeParam, pageToken: pageTokenParam }
