import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from '../rest/etag.ts'

const compress = promisify(gzip)
const decompress = promisify(gunzip)

/**
 * A text that does not change while the process runs; kept compressed. `plain` is kept too once a client has asked for
 * it: a copy for each of many clients that do not read would use up the memory.
 */
export type StaticFile = {
  type: string
  etag: string
  gzipped: Buffer
  plain(): Promise<Buffer>
}

/** `type` is the content type, without the charset. */
export async function staticFile(type: string, text: string): Promise<StaticFile> {
  const gzipped = await compress(text)
  let plain: Promise<Buffer> | undefined
  return {
    type: `${type}; charset=utf-8`,
    etag: etagOf(text),
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
  // Weak: the same text, compressed or not.
  reply.header('etag', `W/${etag}`)
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send()
  reply.type(type)
  if (!takesGzip(headers)) return reply.send(await plain())
  return reply.header('content-encoding', 'gzip').send(gzipped)
}

function takesGzip(headers: FastifyRequest['headers']): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(headers['accept-encoding'] ?? ''))
}
