import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import type { Doubt } from '../../domain/health/doubt.ts'
import { doubtsOf } from './doubts.ts'
import { EnvironmentError } from './environmentError.ts'

const signedBook = z.object({
  book: z.object({
    format: z.literal(1),
    environment: z.string(),
    expiresAt: z.number(),
    maxDeadlineSeconds: z.number(),
  }),
  signature: z.templateLiteral(['0x', z.string()]),
})
type Book = z.output<typeof signedBook>['book']

const DAY_SECONDS = 86_400
/** Apps need time to ship a newer book. */
const WARN_DAYS = 14
const REMEDY = 'Make it by npm run address-book -- shield-book, or unset the variable.'

type Variables = {
  SHIELD_BOOK?: string | undefined
  QUOTE_TTL_SECONDS: number
  PERMIT_TTL_SECONDS: number
}

/**
 * The text of the signed shield book at SHIELD_BOOK, and what is doubtful about it; null without the variable. Throws
 * `EnvironmentError` for a book that no client would take. Clients check its signature.
 */
export async function loadShieldBook(
  variables: Variables,
  { environment }: Pick<AddressBook, 'environment'>,
  now = Date.now() / 1_000,
): Promise<{ text: string; doubts: Doubt[] } | null> {
  const path = variables.SHIELD_BOOK
  if (path === undefined) return null
  const refused = (cause: string) =>
    new EnvironmentError([`SHIELD_BOOK: ${path} ${cause}. ${REMEDY}`])
  const text = await readFile(path, 'utf8').catch(() => {
    throw refused('cannot be read')
  })
  const { success, data } = signedBook.safeParse(parsed(text))
  if (!success) throw refused('is no shield book of this version')
  const { book } = data
  if (book.environment !== environment)
    throw refused(`is for ${book.environment}, and the address book for ${environment}`)
  if (book.expiresAt <= now) throw refused('has expired')
  return { text, doubts: findBookDoubts(book, variables, now) }
}

function findBookDoubts(
  { expiresAt, maxDeadlineSeconds }: Book,
  { QUOTE_TTL_SECONDS, PERMIT_TTL_SECONDS }: Variables,
  now: number,
): Doubt[] {
  const day = new Date(expiresAt * 1_000).toISOString().slice(0, 10)
  const longest = Math.max(QUOTE_TTL_SECONDS, PERMIT_TTL_SECONDS)
  return doubtsOf([
    [
      expiresAt - now < WARN_DAYS * DAY_SECONDS,
      `SHIELD_BOOK expires on ${day}: then apps refuse it`,
      'Make a newer one, and let the apps have it.',
    ],
    [
      longest > maxDeadlineSeconds,
      `SHIELD_BOOK allows deadlines of ${maxDeadlineSeconds} s, and QUOTE_TTL_SECONDS or PERMIT_TTL_SECONDS is ${longest}: clients refuse them`,
      'Lower the variable, or make the book with a higher --max-deadline-seconds.',
    ],
  ])
}

/** Null for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
