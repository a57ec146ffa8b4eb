import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from '../rest/etag.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * A file that does not change while the process runs; kept compressed. `plain` is kept too once a client has asked for
 * it: a copy for each of many clients that do not read would use up the memory.
 */
export type StaticFile = {
  type: string
  etag: string
  gzipped: Buffer
  plain(): Promise<Buffer>
}

/** `type` is the content type; a text gets its charset here. */
export async function staticFile(type: string, content: string | Buffer): Promise<StaticFile> {
  const gzipped = await compress(content)
  let plain: Promise<Buffer> | undefined
  return {
    type: typeof content === 'string' ? `${type}; charset=utf-8` : type,
    etag: etagOf(content),
    gzipped,
    plain: () => (plain ??= decompress(gzipped)),
  }
}

/** Answers with a file, or with 304 when the client has it. */
export async function sendStaticFile(
  { type, etag, gzipped, plain }: StaticFile,
  reply: FastifyReply,
  cacheControl: string,
): Promise<FastifyReply> {
  const { headers } = reply.request
  // Where only some origins are allowed, the CORS headers have set `vary` already.
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ')
  reply.header('cache-control', cacheControl).header('vary', vary)
  // Weak: the same content, compressed or not.
  reply.header('etag', `W/${etag}`)
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(type)
  if (!takesGzip(headers)) return reply.send(await plain())
  return reply.header('content-encoding', 'gzip').send(gzipped)
}

function takesGzip(headers: FastifyRequest['headers']): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''))
}
