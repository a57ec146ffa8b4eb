import { z } from 'zod'
import { issueViolations } from '../error/paramViolations.ts'
import { type FieldViolation, invalidFields } from '../error/serviceError.ts'
import { isPlainText } from './oneLine.ts'
import { overlapSecondsParam } from './overlap.ts'
import { KEY_PERMISSIONS, type Permission } from './permissions.ts'

const MOST_NAME = 100
const NAME_EXPECTED = `expected 1 to ${MOST_NAME} characters, none of them a control character`

/** The name of a key. */
export const keyNameParam = z
  .string(NAME_EXPECTED)
  .min(1, NAME_EXPECTED)
  .max(MOST_NAME, NAME_EXPECTED)
  .refine(isPlainText, NAME_EXPECTED)

/** The permissions of a key that is made over the API. */
export const keyPermissionsParam = z.array(
  z.enum(KEY_PERMISSIONS, `expected one of ${KEY_PERMISSIONS.join(', ')}`),
  'expected an array of permissions',
)

const MOST_YEARS = 100
const EXPIRY_EXPECTED = `expected a time in the future, within ${MOST_YEARS} years`

/** The parameters of the operations on keys; Unix seconds. */
export type KeyParams = {
  name?: string | undefined
  permissions?: readonly string[] | undefined
  expiresAt?: number | undefined
  overlapSeconds?: number | undefined
}

export type CheckedKeyParams = {
  name?: string | undefined
  permissions?: readonly Permission[] | undefined
  expiresAt?: Date | undefined
  overlapSeconds?: number | undefined
}

const PARSERS = {
  name: keyNameParam,
  permissions: keyPermissionsParam,
  overlapSeconds: overlapSecondsParam,
} as const

/** The violations of the given parameters. */
export function keyParamViolations(params: KeyParams): FieldViolation[] {
  const violations = Object.entries(PARSERS).flatMap(([field, parser]) => {
    const value = params[field as keyof typeof PARSERS] // `Object.entries` gives the keys as texts.
    return value === undefined ? [] : issueViolations(z.safeParse(parser, value).error, field)
  })
  const { expiresAt } = params
  const now = Date.now() / 1_000
  const isLate = expiresAt !== undefined && expiresAt <= now + MOST_YEARS * 365 * 86_400
  if (expiresAt === undefined || (expiresAt > now && isLate)) return violations
  return [...violations, { field: 'expiresAt', description: EXPIRY_EXPECTED }]
}

/** The parameters, checked. Throws `INVALID_FIELD`. */
export function checkKeyParams(params: KeyParams): CheckedKeyParams {
  const violations = keyParamViolations(params)
  if (violations.length > 0) throw invalidFields(violations)
  const { expiresAt, permissions, ...others } = params
  return {
    ...others,
    // The parser has refused all others.
    permissions: permissions as readonly Permission[] | undefined,
    expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt * 1_000),
  }
}
