import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../../domain/appContext.ts'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { type Acted, type AnsweredOnce, answerOnce } from '../../domain/idempotency/answerOnce.ts'
import { requestContextOf } from './requestContext.ts'

/** The header of an answer that the same call got before. */
export const REPEATED_HEADERS = { 'idempotent-replayed': 'true' }

const VISIBLE_ASCII = /^[!-~]{1,255}$/

/**
 * Runs a request that acts: under its `Idempotency-Key` at most once, else as often as it comes. `call` is all that
 * makes the request another one; `act` must use the context that it gets. Throws as `idempotencyKeyOf` and `answerOnce`.
 */
export async function actOnce<Answer>(
  request: FastifyRequest,
  call: unknown,
  act: (context: AppContext) => Promise<Acted<Answer>>,
): Promise<AnsweredOnce<Answer>> {
  const context = requestContextOf(request)
  const { caller } = context
  const key = idempotencyKeyOf(request)
  // Without a caller nothing can be changed.
  if (key === null || !caller) return { ...(await act(context)), isRepeated: false }
  const { organizationId, actor } = caller
  // An answer may hold a secret, so it is for its caller alone.
  const fingerprint = hash('sha256', JSON.stringify([actor, call]), 'buffer')
  return answerOnce(context, { organizationId, key, fingerprint }, (sql) =>
    act({ ...context, sql }),
  )
}

/** The key of a request; null without one. Throws `INVALID_FIELD` for one that is malformed. */
function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && VISIBLE_ASCII.test(key)) return key
  const description = 'expected 1 to 255 visible ASCII characters, once'
  throw invalidFields([{ field: 'Idempotency-Key', description }])
}
