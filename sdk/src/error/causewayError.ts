import type { components } from '../generated/api.ts'
import type { Reason, ReasonMetadata } from './reasons.ts'

type Violation = components['schemas']['FieldViolation']

/** The parts of an error. */
export type ErrorDetails<R extends Reason = Reason> = {
  reason: R
  metadata: ReasonMetadata[R]
  message: string
  /** The HTTP status; null where no answer of the API came. */
  status?: number | null
  violations?: readonly Violation[]
  requestId?: string | null
  retryAfter?: number | null
  cause?: unknown
}

class ErrorOfReason<R extends Reason> extends Error {
  override readonly name = 'CausewayError'
  readonly reason: R
  /** The present values that belong to the reason. */
  readonly metadata: ReasonMetadata[R]
  readonly status: number | null
  /** Every field that was refused. */
  readonly violations: readonly Violation[]
  /** Name it when you report the error to the operator. */
  readonly requestId: string | null
  /** Seconds after which the same call may succeed. */
  readonly retryAfter: number | null

  constructor({ reason, metadata, message, ...more }: ErrorDetails<R>) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause })
    this.reason = reason
    this.metadata = metadata
    this.status = more.status ?? null
    this.violations = more.violations ?? []
    this.requestId = more.requestId ?? null
    this.retryAfter = more.retryAfter ?? null
  }
}

/**
 * Every failure of the client. `reason` discriminates: after `error.reason === 'BELOW_MIN_ORDER_SIZE'` the
 * type of `error.metadata` has `minOrderSize`. An aborted call rejects with the reason of its signal instead.
 *
 * @example
 * if (error instanceof CausewayError && error.reason === 'BELOW_MIN_ORDER_SIZE')
 *   console.log(error.metadata.minOrderSize)
 */
export type CausewayError = { [R in Reason]: ErrorOfReason<R> }[Reason]

// The constructor's type is the union, so that `instanceof` narrows to it.
export const CausewayError = ErrorOfReason as new <R extends Reason>(
  details: ErrorDetails<R>,
) => Extract<CausewayError, { reason: R }>
