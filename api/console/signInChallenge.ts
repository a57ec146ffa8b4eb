import { parseCookies } from 'better-auth/cookies'
import type { FastifyRequest } from 'fastify'
import type { Console } from './createConsole.ts'
import { authHeaders } from './sessionOf.ts'

/** A sign-in that waits for its code, after a right password. */
export type SignInChallenge = {
  userId: string
  /** For the library: the cookie of the challenge alone. With a session it would judge the session's codes, and count none. */
  headers: Headers
}

/** The challenge of a request's cookie; null without one. The library checks the cookie's signature. */
export async function signInChallengeOf(
  { auth }: Pick<Console, 'auth'>,
  request: FastifyRequest,
): Promise<SignInChallenge | null> {
  const { createAuthCookie, internalAdapter } = await auth.$context
  const { name } = createAuthCookie('two_factor')
  const signed = parseCookies(request.headers.cookie ?? '').get(name) ?? ''
  const identifier = signed.slice(0, signed.lastIndexOf('.'))
  const found = identifier ? await internalAdapter.findVerificationValue(identifier) : null
  if (!found || found.expiresAt < new Date()) return null
  const headers = authHeaders(request)
  headers.set('cookie', `${name}=${encodeURIComponent(signed)}`)
  return { userId: found.value, headers }
}
