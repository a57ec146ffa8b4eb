import { type ErrorStatus, REASONS, type Reason } from './reason.ts'

export type FieldViolation = { field: string; description: string }

export type ServiceErrorOptions = {
  /** Current values for programs, all strings: limits, chains, remaining amounts. */
  metadata?: Record<string, string>
  fieldViolations?: FieldViolation[]
  retryAfterSeconds?: number
  cause?: unknown
}

/** The only errors that clients see. Every other error is masked as `UNEXPECTED`. */
export class ServiceError extends Error {
  override name = 'ServiceError'
  readonly reason: Reason
  readonly metadata: Record<string, string>
  readonly fieldViolations: FieldViolation[]
  readonly retryAfterSeconds: number | undefined

  constructor(reason: Reason, message: string, options: ServiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.reason = reason
    this.metadata = options.metadata ?? {}
    this.fieldViolations = options.fieldViolations ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get code(): number {
    return REASONS[this.reason].code
  }

  get status(): ErrorStatus {
    return REASONS[this.reason].status
  }
}

type Refusal = FieldViolation & {
  /** For users. By default the description. */
  message?: string
  metadata?: Record<string, string>
}

/** The refusal of one field with a reason of its own. Integrators show its message to users, so it names no parameter. */
export function refusedField(
  reason: Reason,
  { field, description, message = description, metadata = {} }: Refusal,
): ServiceError {
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`
  return new ServiceError(reason, sentence, { metadata, fieldViolations: [{ field, description }] })
}

/** A 400 that names every bad field at once. `violations` must not be empty. */
export function invalidFields(violations: FieldViolation[], reason: Reason = 'INVALID_FIELD') {
  const summary = violations.map(({ field, description }) => `${field}: ${description}`).join('; ')
  return new ServiceError(reason, summary, { fieldViolations: violations })
}
