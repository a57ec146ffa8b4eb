import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { MOST_EMAIL_CHARACTERS } from '../../domain/access/emailAddress.ts'
import { isPlainText } from '../../domain/access/oneLine.ts'
import { issueViolations } from '../../domain/error/paramViolations.ts'
import { invalidFields, ServiceError } from '../../domain/error/serviceError.ts'
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from './passwordRules.ts'

const MOST_TEXT = 200

const textOf = (most: number) =>
  z
    .string('expected a string')
    .min(1, 'expected a text')
    .max(most, `expected at most ${most} characters`)
    .refine((text) => !text.includes('\0'), 'expected no U+0000')

export const textParam = textOf(MOST_TEXT)
export const emailParam = textOf(MOST_EMAIL_CHARACTERS)
export const nameParam = textParam.refine(isPlainText, 'expected one line of plain text')
export const newPasswordParam = z
  .string('expected a string')
  .min(LEAST_PASSWORD_CHARACTERS, `expected at least ${LEAST_PASSWORD_CHARACTERS} characters`)
  .max(MOST_PASSWORD_CHARACTERS, `expected at most ${MOST_PASSWORD_CHARACTERS} characters`)

/** The body of a request. Throws `INVALID_FIELD`, naming every fault; values are not repeated. */
export function bodyOf<Shape extends z.ZodRawShape>(
  { body }: FastifyRequest,
  shape: Shape,
): z.output<z.ZodObject<Shape, z.core.$strict>> {
  return parsedBody(z.strictObject(shape), body ?? {})
}

/** A body by its schema. Throws as `bodyOf`. */
export function parsedBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const { success, data, error } = schema.safeParse(body)
  if (success) return data
  throw invalidFields(issueViolations(error))
}

/** The JSON of an answer of Better Auth, after its cookies are set on ours. Throws `SIGN_IN_REFUSED` if it refused. */
export async function passOn(
  response: Response,
  reply: FastifyReply,
): Promise<Record<string, unknown>> {
  if (response.status >= 500) throw new Error(`Better Auth answered ${response.status}`)
  if (!response.ok) throw signInRefused()
  for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie)
  return (await response.json()) as Record<string, unknown>
}

/** One answer for an unknown account, a wrong password and a wrong code. */
export function signInRefused(): ServiceError {
  return new ServiceError(
    'SIGN_IN_REFUSED',
    'The email address, the password or the code is wrong.',
  )
}
