import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionError } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { errorEnvelope } from '../error/envelope.ts'
import { retryAfterSeconds } from '../error/retryAfterSeconds.ts'
import { originHeaders } from './allowOrigins.ts'
import { SECURITY_HEADERS } from './securityHeaders.ts'

function refusal({ code }: { code?: string }): ServiceError {
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('REQUEST_TOO_LARGE', 'The headers of the request are too large.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('MALFORMED_REQUEST', 'The request was not complete in time.')
  return new ServiceError('MALFORMED_REQUEST', 'The request is not valid HTTP.')
}

/** Answers input that Node's HTTP parser refuses: sends the error envelope and closes the connection. */
export function answerClientErrors(corsOrigins: string[]) {
  return (error: ConnectionError, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy()
      return
    }
    answerSocket(socket, refusal(error), originHeaders(corsOrigins, originIn(error)))
  }
}

/** The origin of the request that could not be parsed, where its header came that far. */
function originIn({ rawPacket }: ConnectionError): string | undefined {
  return /^origin:[ \t]*(\S+)/im.exec(String(rawPacket ?? ''))?.[1]
}

/** Answers a failure on a connection without a request, and ends the connection. */
export function answerSocket(
  socket: Socket,
  refused: ServiceError,
  headers: Record<string, string>,
): void {
  const retryAfter = retryAfterSeconds(refused)
  const body = JSON.stringify(errorEnvelope(refused))
  socket.end(
    [
      `HTTP/1.1 ${refused.code} ${STATUS_CODES[refused.code]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      `x-request-id: ${randomUUID()}`,
      'cache-control: no-store',
      ...(retryAfter === undefined ? [] : [`retry-after: ${retryAfter}`]),
      ...Object.entries({ ...SECURITY_HEADERS, ...headers }).map(
        ([name, value]) => `${name}: ${value}`,
      ),
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
