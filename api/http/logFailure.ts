import type { FastifyRequest } from 'fastify'
import type { ServiceError } from '../../domain/error/serviceError.ts'

/** Logs the cause of a 5xx, which the client does not see. The request's own line shows a 4xx. */
export function logFailure({ log, id: requestId }: FastifyRequest, error: ServiceError): void {
  if (error.code === 500)
    log.error({ requestId, err: describeFailure(error.cause ?? error) }, 'unexpected failure')
  else if (error.code > 500)
    log.warn({ requestId, err: describeFailure(error.cause), reason: error.reason }, error.message)
}

/** A failure and its causes in a log line. */
type LoggedFailure = {
  type: string
  message: string
  code?: string
  stack?: string
  cause?: LoggedFailure
}

const DEEPEST_CAUSE = 5
const LONGEST_MESSAGE = 1_000
/** Signatures, calldata and secrets, but no address, hash or number. */
const LONG_HEX = /\b(?:0x)?[0-9a-fA-F]{65,}\b/g
const KEY = /\bcauseway_\w+/g
const URL_PARTS = /\b([a-z]+:\/\/)(?:[^\s/@]+@)?([^\s/?#"']+)[^\s"')]*/gi

/**
 * The parts of a failure that may be logged. It copies known parts and does not filter: errors of nodes carry
 * URLs and calldata, those of Postgres the parameters of the statement and the row.
 */
export function describeFailure(error: unknown, depth = 0): LoggedFailure {
  if (!(error instanceof Error)) return { type: typeof error, message: redact(String(error)) }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: redact(error.message).slice(0, LONGEST_MESSAGE),
    ...(typeof code === 'string' || typeof code === 'number' ? { code: String(code) } : {}),
    // Without its first line, which repeats the message.
    ...(error.stack ? { stack: framesOf(error.stack) } : {}),
    ...(error.cause !== undefined && depth < DEEPEST_CAUSE
      ? { cause: describeFailure(error.cause, depth + 1) }
      : {}),
  }
}

function framesOf(stack: string): string {
  return stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n')
}

/** A text without keys and long hex, with URLs reduced to their host. */
function redact(text: string): string {
  return text
    .replaceAll(KEY, '[key]')
    .replaceAll(LONG_HEX, '[hex]')
    .replaceAll(URL_PARTS, (_, scheme: string, host: string) => `${scheme}${host}`)
}
