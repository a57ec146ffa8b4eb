import type { FastifyRequest } from 'fastify'
import { invalidFields } from '../../domain/error/serviceError.ts'

/** Throws `INVALID_FIELD` for a JSON body with half a character. */
export function refuseBrokenText({ body }: Pick<FastifyRequest, 'body'>): void {
  if (typeof body === 'object' && body !== null) refuseBrokenFields(body)
}

/**
 * Throws `INVALID_FIELD` that names each field with half a character in it: a lone surrogate, which Postgres stores in no
 * document. Text of a URL has none, but JSON in a URL can.
 */
export function refuseBrokenFields(fields: object): void {
  const broken = Object.entries(fields).filter((entry) => isBroken(entry))
  if (broken.length === 0) return
  throw invalidFields(
    broken.map(([name]) => ({
      field: name.toWellFormed(),
      description: 'expected text without lone surrogates',
    })),
  )
}

/** Without recursion, because a body can be nested some ten thousand times. */
function isBroken(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === 'string' && !next.isWellFormed()) return true
    if (typeof next !== 'object' || next === null) continue
    for (const [name, inner] of Object.entries(next)) left.push(name, inner)
  }
  return false
}
