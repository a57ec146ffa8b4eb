import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  chargeAttempt,
  claimCode,
  forgiveAttempt,
  releaseCode,
} from '../../domain/access/signInAttempts.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { passOn, signInRefused } from './consoleRequest.ts'
import type { ConsoleServices } from './consoleRoutes.ts'
import type { ConsoleAuth } from './createConsoleAuth.ts'
import { authHeaders, type ConsoleSession, sessionOf } from './sessionOf.ts'

/** The session of a request. Throws `SIGN_IN_REFUSED` without one. */
export async function requireSession(
  { console }: ConsoleServices,
  request: FastifyRequest,
): Promise<ConsoleSession> {
  const session = await sessionOf(console, request)
  if (!session) throw signInRefused()
  return session
}

/** Counts a proof as an attempt on an account, if it is for one, and on the address. `run` throws if the proof is wrong. */
export async function prove<Result>(
  { service }: Pick<ConsoleServices, 'service'>,
  request: FastifyRequest,
  { account, run }: { account: string | null; run: () => Promise<Result> },
): Promise<Result> {
  const attempt = { account, address: requestContextOf(request).clientAddress }
  await chargeAttempt(service, attempt)
  const result = await run()
  await forgiveAttempt(service, attempt)
  return result
}

/** The account of the attempts at codes. A right password must not forgive guessed codes. */
export function codeAccount(userId: string): string {
  return `code:${userId}`
}

type CodeProof<Result> = { userId: string; code: string; run: () => Promise<Result> }

/** The same for a code of an authenticator app. A code is right once. */
export function proveByCode<Result>(
  services: Pick<ConsoleServices, 'service'>,
  request: FastifyRequest,
  { userId, code, run }: CodeProof<Result>,
): Promise<Result> {
  const { service } = services
  return prove(services, request, {
    account: codeAccount(userId),
    async run() {
      // Before it is judged: two requests at once must not both be right.
      if (!(await claimCode(service, { userId, code }))) throw signInRefused()
      try {
        return await run()
      } catch (error) {
        await releaseCode(service, { userId, code })
        throw error
      }
    },
  })
}

export type Exchange = { request: FastifyRequest; reply: FastifyReply }

/**
 * Sends the library a request of the signed-in member that has a password, and returns the library's answer. Counts as an
 * attempt on the account. Throws `SIGN_IN_REFUSED` or `SIGN_IN_LOCKED`.
 */
export async function askAsMember(
  services: ConsoleServices,
  { request, reply }: Exchange,
  ask: (api: ConsoleAuth['api'], headers: Headers) => Promise<Response>,
): Promise<Record<string, unknown>> {
  const { userId } = await requireSession(services, request)
  const { api } = services.console.auth
  const run = async () => passOn(await ask(api, authHeaders(request)), reply)
  return prove(services, request, { account: userId, run })
}
