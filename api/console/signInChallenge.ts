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
  const signed = cookieOf(request.headers.cookie ?? '', name)
  const identifier = signed.slice(0, signed.lastIndexOf('.'))
  const found = identifier ? await internalAdapter.findVerificationValue(identifier) : null
  if (!found || found.expiresAt < new Date()) return null
  const headers = authHeaders(request)
  headers.set('cookie', `${name}=${signed}`)
  return { userId: found.value, headers }
}

/** A cookie as it stands in the header; empty without one. */
function cookieOf(header: string, name: string): string {
  const pairs = header.split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? ''
}
