import type { FastifyInstance, FastifyRequest } from 'fastify'
import { looksLikeKey } from '../../domain/access/keyFormat.ts'
import { invalidFields, ServiceError } from '../../domain/error/serviceError.ts'
import { takesBody } from './takesBody.ts'

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

const KEY_NAMES = new Set(['key', 'apikey', 'xapikey', 'accesskey', 'secretkey'])

function isKeyName(name: string): boolean {
  return KEY_NAMES.has(name.toLowerCase().replaceAll(/[-_]/g, ''))
}

/** Throws `KEY_IN_QUERY`: URLs end up in logs, so a key in a URL is refused. */
export function refuseKeyInQuery({ query }: FastifyRequest): void {
  const names = Object.entries(query ?? {}).flatMap(([name, value]) =>
    isKeyName(name) || [value].flat().some(looksLikeKey) ? [name] : [],
  )
  if (names.length === 0) return
  throw invalidFields(
    names.map((field) => ({
      field,
      description:
        'send the API key in the x-api-key header, and replace this one: URLs are logged',
    })),
    'KEY_IN_QUERY',
  )
}

/** Throws `UNSUPPORTED_CONTENT_TYPE` for a POST or PATCH that is not JSON, also when it has no body. */
export function refuseOtherContent(request: FastifyRequest): void {
  if (!takesBody(request)) return
  const [type] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type?.trim().toLowerCase() === 'application/json') return
  throw new ServiceError(
    'UNSUPPORTED_CONTENT_TYPE',
    `Send the request body with Content-Type: application/json${type ? `, not ${type}` : ''}.`,
  )
}

/**
 * Answers 405 with `Allow` for every method that a path does not have. Call it before the routes are
 * registered, because it watches them, and call the function that it returns afterwards. A route for each of the other
 * thirty methods of each path would take a tenth of a second of a start.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const methodsByPath = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsByPath.set(url, methods)
  })

  return () => {
    const paths = [...methodsByPath].map(([url, methods]) => ({
      pattern: patternOf(url),
      allow: [...methods].sort().join(', '),
    }))
    // Before the body is read, which does not matter here.
    app.addHook('onRequest', async (request, reply) => {
      if (!request.is404) return
      const [path = ''] = request.url.split('?', 1)
      const allow = paths.find(({ pattern }) => pattern.test(path))?.allow
      if (allow === undefined) return
      reply.header('allow', allow)
      throw new ServiceError(
        'METHOD_NOT_ALLOWED',
        `${request.method} is not a method of this path; allowed: ${allow}.`,
      )
    })
  }
}

/** Matches the paths of a route, with or without a slash at the end. */
function patternOf(url: string): RegExp {
  const text = url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+').replaceAll('*', '.*')
  return new RegExp(`^${text}/?$`)
}
