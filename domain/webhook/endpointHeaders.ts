import type { TransactionSql } from 'postgres'
import { z } from 'zod'
import { invalidFields, type ServiceError } from '../error/serviceError.ts'
import { openSecret, sealSecret } from '../secret/sealedSecret.ts'

/** A header that an endpoint wants beside those of every delivery. Its value is a secret. */
export type EndpointHeader = { name: string; value: string }

/** The JSON value of the parameter. */
export const headersParam = z.array(
  z.object({ name: z.string(), value: z.string() }, 'expected a header: name and value'),
  'expected an array of headers',
)

const MOST_HEADERS = 10
const NAME = /^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/i
const VALUE = /^[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?$/
/** Those that a delivery sets, and those of the connection. */
const TAKEN =
  /^(webhook-.*|content-.*|host|user-agent|traceparent|connection|keep-alive|expect|te|trailer|transfer-encoding|upgrade|proxy-.*)$/i

/** The refusal of headers that cannot be sent. */
export function refusedHeaders(
  headers: readonly EndpointHeader[] | undefined,
): ServiceError | undefined {
  if (headers === undefined) return undefined
  const refuse = (description: string) => invalidFields([{ field: 'headers', description }])
  if (headers.length > MOST_HEADERS) return refuse(`expected at most ${MOST_HEADERS} headers`)
  const names = headers.map(({ name }) => name.toLowerCase())
  if (new Set(names).size < names.length) return refuse('expected each name once')
  const wrong = headers.find(({ name }) => !NAME.test(name) || TAKEN.test(name))
  if (wrong)
    return refuse(
      `the name ${JSON.stringify(wrong.name.slice(0, 100))} cannot be set by an endpoint`,
    )
  const bad = headers.find(({ value }) => !VALUE.test(value))
  // The value stays hidden.
  if (bad) return refuse(`expected 1 to 1000 visible ASCII characters as the value of ${bad.name}`)
  return undefined
}

/**
 * Throws `INVALID_FIELD` if the headers of an endpoint would go to another origin than that for which they were given. Whoever
 * may change the URL could read their values there.
 */
export function refuseCarriedHeaders(
  before: { url: string; headerNames: readonly string[] },
  { url, headers }: { url?: string | undefined; headers?: readonly EndpointHeader[] | undefined },
): void {
  if (url === undefined || headers !== undefined || before.headerNames.length === 0) return
  if (new URL(url).origin === new URL(before.url).origin) return
  const description = `give them again for another origin than ${new URL(before.url).origin}, or [] to remove them`
  throw invalidFields([{ field: 'headers', description }])
}

const ownerOf = (endpointId: string, name: string) => `${endpointId}:${name}`

/** Replaces the headers of an endpoint, encrypted. */
export async function setHeaders(
  sql: TransactionSql,
  { endpointId, headers }: { endpointId: string; headers: readonly EndpointHeader[] },
  secretsKey: Uint8Array,
): Promise<void> {
  await sql`delete from app.webhook_header where endpoint_id = ${endpointId}`
  for (const { name: given, value } of headers) {
    const name = given.toLowerCase()
    const sealed = sealSecret(value, ownerOf(endpointId, name), secretsKey)
    await sql`
      insert into app.webhook_header (endpoint_id, name, sealed)
      values (${endpointId}, ${name}, ${sealed})`
  }
}

/** The headers of an endpoint in clear text. Throws as `openSecret`. */
export function openHeaders(
  sealed: readonly { name: string; sealed: Uint8Array }[],
  endpointId: string,
  secretsKey: Uint8Array,
): EndpointHeader[] {
  return sealed.map(({ name, sealed: bytes }) => ({
    name,
    value: openSecret(bytes, ownerOf(endpointId, name), secretsKey),
  }))
}
