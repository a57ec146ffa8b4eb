import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'

export const MAX_URL_CHARACTERS = 16 * 1024
const MAX_HEADER_CHARACTERS = 16 * 1024
/** Node counts URL and headers together; each must come through up to its own limit. */
export const MAX_PARSED_BYTES = MAX_URL_CHARACTERS + MAX_HEADER_CHARACTERS + 4 * 1024

/**
 * Throws `REQUEST_TOO_LARGE` for a URL or headers over 16 KiB, `MALFORMED_REQUEST` without a Host or with several:
 * Node would refuse a request without a Host with an empty body, and takes the first of several.
 */
export function refuseMalformed({ url, raw }: FastifyRequest): void {
  if (raw.headers.host === undefined && raw.httpVersion === '1.1')
    throw new ServiceError('MALFORMED_REQUEST', 'The request has no Host header.')
  if (isRepeated('host', raw.rawHeaders))
    throw new ServiceError('MALFORMED_REQUEST', 'The request has more than one Host header.')
  if (url.length > MAX_URL_CHARACTERS)
    throw new ServiceError('REQUEST_TOO_LARGE', 'The URL is longer than 16 KiB.')
  let characters = 0
  for (const part of raw.rawHeaders) characters += part.length
  if (characters > MAX_HEADER_CHARACTERS)
    throw new ServiceError('REQUEST_TOO_LARGE', 'The headers are larger than 16 KiB.')
}

/** `rawHeaders` holds names and values in turn. */
function isRepeated(name: string, rawHeaders: string[]): boolean {
  const isName = (text: string, index: number) => index % 2 === 0 && text.toLowerCase() === name
  return rawHeaders.filter(isName).length > 1
}
