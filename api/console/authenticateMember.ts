import type { FastifyRequest } from 'fastify'
import type { Sql } from 'postgres'
import type { Caller } from '../../domain/access/caller.ts'
import { memberCaller } from '../../domain/access/memberCaller.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { ORGANIZATION_HEADER } from '../http/requestContext.ts'
import type { Console } from './createConsole.ts'
import { refuseForged } from './refuseForged.ts'
import { sessionOf } from './sessionOf.ts'

/**
 * The caller of a session for the organization of the header. Throws `FORGED_REQUEST`, `UNAUTHENTICATED`,
 * `ORGANIZATION_NOT_FOUND` or `SECOND_FACTOR_NEEDED`.
 */
export async function authenticateMember(
  { sql }: { sql: Sql },
  console: Console | null,
  request: FastifyRequest,
): Promise<Caller> {
  if (!console) throw new ServiceError('UNAUTHENTICATED', 'The console is off: send an API key.')
  refuseForged(request, console)
  const session = await sessionOf(console, request)
  if (!session)
    throw new ServiceError('UNAUTHENTICATED', 'There is no session, or it has ended: sign in.')
  return memberCaller(sql, session, String(request.headers[ORGANIZATION_HEADER]))
}
