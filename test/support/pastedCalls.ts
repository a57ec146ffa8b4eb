import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ask } from './ask.ts'

/** The calls in a page of docs/, for an API on port 4000. */
export type PastedCalls = {
  /** The URLs of `curl -s '…'`, in the order of the page. */
  paths: string[]
  /** The bodies of GraphQL requests. */
  graphql: string[]
}

const GET = /curl -s 'http:\/\/127\.0\.0\.1:4000([^']+)'/g
const GRAPHQL = /4000\/graphql -H '[^']+' \\\s+-d '([^']+)'/g

/** Reads them from the page of this name. */
export async function pastedCalls(page: string): Promise<PastedCalls> {
  const text = await readFile(join(import.meta.dirname, '../../docs', page), 'utf8')
  const found = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, call]) => call ?? '')
  return { paths: found(GET), graphql: found(GRAPHQL) }
}

/** Sends a GraphQL request's body unchanged. */
export async function pasteGraphql(apiUrl: string, body = ''): Promise<unknown> {
  const response = await ask(`${apiUrl}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  return response.json()
}
