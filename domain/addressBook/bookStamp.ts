import { createHash } from 'node:crypto'
import { z } from 'zod'

/** What `address-book verify` writes into a book that agrees with its chains. */
export const stampFormat = z.strictObject({
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 over the rest of the file'),
  at: z.iso.datetime(),
  blocks: z
    .array(
      z.strictObject({
        chainId: z.number().int().positive(),
        number: z.number().int().nonnegative(),
        hash: z.string().regex(/^0x[0-9a-f]{64}$/),
      }),
    )
    .describe('the newest block of each chain when the check began'),
})

export type BookStamp = z.output<typeof stampFormat>

/** The JSON value of a book, with its stamp if it has one. */
export type BookValue = { environment: string; verified?: BookStamp | undefined }

/**
 * The digest of a book's JSON value without its stamp. It is of the file and not of the parsed book, so that a newer version
 * with another default keeps the stamps. Spaces do not count.
 */
export function digestOf({ verified: _, ...book }: Partial<BookValue>): string {
  return createHash('sha256').update(JSON.stringify(book)).digest('hex')
}

/** The book with a new stamp, at its end. */
export function stamped<Book extends BookValue>(value: Book, blocks: BookStamp['blocks']) {
  const { verified: _, ...book } = value
  const verified: BookStamp = { digest: digestOf(book), at: new Date().toISOString(), blocks }
  return { ...book, verified }
}

/** Why a book does not count as verified; null if it does. */
export function whyUnverified(book: BookValue): string | null {
  if (!book.verified) return 'was not verified'
  return book.verified.digest === digestOf(book) ? null : 'was changed after it was verified'
}
