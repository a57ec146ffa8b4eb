import { z } from 'zod'

/** The longest address that mail can be sent to (RFC 5321). */
export const MOST_EMAIL_CHARACTERS = 254

const emailAddress = z.email().max(MOST_EMAIL_CHARACTERS)

/** Whether somebody with this address can sign in. The rule is that of the sign-in by Better Auth. */
export function isEmailAddress(text: string): boolean {
  return emailAddress.safeParse(text).success
}
