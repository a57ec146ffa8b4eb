import { isOneLetterAway } from '../../domain/error/isOneLetterAway.ts'
import type { FieldViolation } from '../../domain/error/serviceError.ts'

/** A body of 64 KiB can have thousands of unknown fields, and each is named twice in the answer. */
const MOST_NAMED = 100

/** The violations of the fields of a JSON body that nobody reads. What is no object has none. */
export function unknownFields(body: unknown, known: readonly string[]): FieldViolation[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const unknown = Object.keys(body).filter((name) => !known.includes(name))
  return unknown.slice(0, MOST_NAMED).map((field) => {
    const meant = meantBy(field, known)
    return { field, description: meant ? didYouMean(meant) : 'unknown field' }
  })
}

/** The violations of the parameters of a query string that look like a known one. */
export function mistypedParameters(
  query: Record<string, unknown>,
  known: readonly string[],
): FieldViolation[] {
  return Object.keys(query).flatMap((field) => {
    const meant = known.includes(field) ? undefined : meantBy(field, known)
    return meant ? [{ field, description: didYouMean(meant) }] : []
  })
}

const PLAIN_NAME = /^\w{1,64}$/

/** The parameters of a query string that nobody reads. Names that no header could hold are left out. */
export function ignoredParameters(
  query: Record<string, unknown>,
  known: readonly string[],
): string[] {
  const ignored = Object.keys(query).filter((name) => !known.includes(name))
  return ignored.filter((name) => PLAIN_NAME.test(name)).slice(0, MOST_NAMED)
}

function meantBy(name: string, known: readonly string[]): string | undefined {
  const lower = name.toLowerCase()
  return known.find((candidate) => isOneLetterAway(lower, candidate.toLowerCase()))
}

function didYouMean(meant: string): string {
  return `unknown; did you mean ${meant}?`
}
