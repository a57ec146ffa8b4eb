import { type ReceiverOptions, receiveWebhook } from './receiveWebhook.ts'

/**
 * A handler for servers with `Request` and `Response`: Next.js, Hono, Bun, Deno, workers.
 *
 * @example
 * const POST = fetchWebhookHandler({ secrets, onEvent })
 */
export function fetchWebhookHandler(
  options: ReceiverOptions,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const given = { headers: request.headers, body: await request.text() }
    return new Response(null, await receiveWebhook(options, given))
  }
}

type NodeHeaders = Record<string, string | string[] | undefined>

/** The used part of Node's request, which Express has too. */
type NodeRequest = AsyncIterable<Uint8Array> & { headers: NodeHeaders; body?: unknown }
type NodeResponse = {
  writeHead(status: number, headers?: Record<string, string>): { end(): unknown }
}

/** Far above every event. A stranger's body must not fill the memory before its signature is read. */
const MOST_BYTES = 1_000_000

/**
 * A handler for Express and for `node:http`. Mount it before any body parser, or behind `express.raw({ type: () => true })`:
 * the signature is over the bytes as they came. It gives `next` of Express a `TypeError` for a body that was parsed already,
 * and answers 413 to one above 1 MB.
 *
 * @example
 * createServer(nodeWebhookHandler({ secrets, onEvent })).listen(4100)
 */
export function nodeWebhookHandler(
  options: ReceiverOptions,
): (
  request: NodeRequest,
  response: NodeResponse,
  next?: (error: unknown) => void,
) => Promise<void> {
  return async (request, response, next) => {
    if (isParsed(request)) {
      const error = new TypeError(
        'The body was parsed before the webhook handler: mount the handler before the body parser',
      )
      if (!next) throw error
      return next(error)
    }
    // A sender that leaves within its body must not end the program.
    // It fails only if the sender leaves: nobody gets this answer.
    const body = await rawBody(request).catch(() => 400 as const)
    // The rest of such a body is not read, so nothing can follow it.
    if (typeof body === 'number')
      return void response.writeHead(body, { connection: 'close' }).end()
    const { status } = await receiveWebhook(options, { headers: request.headers, body })
    response.writeHead(status).end()
  }
}

/** Verification could only fail, for a reason that is hard to find. */
function isParsed({ body }: NodeRequest): boolean {
  if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return false
  return Object.keys(body).length > 0
}

/** 413 for one that is too long. Rejects if its sender leaves. */
async function rawBody(request: NodeRequest): Promise<string | Uint8Array | 413> {
  const { body } = request
  if (typeof body === 'string' || body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  let bytes = 0
  // A loop that is left ends the connection, and with it the answer.
  const reading = request[Symbol.asyncIterator]()
  for (let next = await reading.next(); !next.done; next = await reading.next()) {
    bytes += next.value.length
    if (bytes > MOST_BYTES) return 413
    chunks.push(next.value)
  }
  const decoder = new TextDecoder()
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true }))
  return text.join('') + decoder.decode()
}

type Done = (error: Error | null, body?: unknown) => void
type FastifyReply = { code(status: number): { send(): unknown } }

/** The used part of Fastify. */
type FastifyScope = {
  removeAllContentTypeParsers(): unknown
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer' },
    parse: (request: unknown, body: unknown, done: Done) => void,
  ): unknown
  post(
    path: string,
    handler: (
      request: { headers: NodeHeaders; body: unknown },
      reply: FastifyReply,
    ) => Promise<unknown>,
  ): unknown
}

/**
 * A plugin for Fastify: `app.register(fastifyWebhooks(options), { prefix: '/hooks' })`. Its parser is only its own.
 *
 * @example
 * app.register(fastifyWebhooks({ secrets, onEvent }), { prefix: '/hooks' })
 */
export function fastifyWebhooks(options: ReceiverOptions): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body))
    scope.post('/', async ({ headers, body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : ''
      const { status } = await receiveWebhook(options, { headers, body: bytes })
      return reply.code(status).send()
    })
  }
}
