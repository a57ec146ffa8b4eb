import { expect } from 'vitest'
import { parseKey } from '../../domain/access/keyFormat.ts'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import type { RequestStore } from '../../domain/usage/requestStore.ts'
import type { TestApi } from './api.ts'
import { undescribed } from './describedAnswer.ts'
import { noteSecret } from './handedOut.ts'
import type { PageQuery } from './pageLaws.ts'

export const LOG = '/v1/access/requestLog'
export const USAGE = '/v1/access/usage'

export type Account = { organizationId: string; key: string; publicId: string }

type Row = Record<string, unknown>
export type Page = {
  requests: Row[]
  apiUsage: Row[]
  nextPageToken: string | null
  error?: { details: { reason?: string; fieldViolations?: { field: string }[] }[] }
}

type Services = { api: TestApi; store: RequestStore }
export type RequestReader = ReturnType<typeof createRequestReader>

/** Accounts of an api that records, their requests, and what the api shows of these. */
export function createRequestReader(services: () => Services) {
  let names = 0

  /** A new organization with a key that may read vaults and the log. */
  async function account(): Promise<Account> {
    names += 1
    const { id } = await createOrganization(services().api.administrator, `Account ${names}`)
    return anotherKey(id)
  }

  /** A new key of an organization, with the same permissions. */
  async function anotherKey(organizationId: string): Promise<Account> {
    const { administrator } = services().api
    const permissions = ['keys', 'earn:read'] as const
    const { key, publicId } = await createKey(administrator, { organizationId, permissions })
    noteSecret(parseKey(key).secret)
    return { organizationId, key, publicId }
  }

  async function read(path: string, { key }: Account, params: Record<string, string> = {}) {
    const query = new URLSearchParams({ pageSize: '100', ...params })
    const url = `${services().api.url}${path}?${query}`
    const response = await fetch(url, { headers: { 'x-api-key': key } })
    const body = (await response.json()) as Page
    expect(undescribed(url, response.status, body)).toEqual([])
    return { status: response.status, headers: response.headers, body }
  }

  /** The logged requests without those that read the log. */
  async function logged(of: Account, filter?: string): Promise<Row[]> {
    // The first may have begun before the last request; the second takes what came during it.
    await services().api.recorder?.flush()
    await services().api.recorder?.flush()
    const { body } = await read(LOG, of, filter ? { filter } : {})
    return body.requests.filter(({ route }) => route !== LOG)
  }

  const send = (path: string, { key }: Account, init: RequestInit = {}) =>
    fetch(services().api.url + path, { ...init, headers: { 'x-api-key': key, ...init.headers } })

  /** Rows of the log, with times and numbers as given. */
  async function insertRequests(
    { organizationId, publicId }: Account,
    rows: { at: number; name: string; status?: number }[],
  ) {
    await services().store.writeRequests(
      rows.map(({ at, name, status = 200 }) => ({
        at,
        organizationId,
        publicId,
        requestId: name,
        method: 'GET',
        route: '/v1/x',
        operation: null,
        status,
        reason: null,
        latencyMs: 1,
        points: 1,
      })),
    )
  }

  function pagesOf(
    path: string,
    of: () => Account,
    params: Record<string, string>,
    keyOf: (row: Row) => string,
  ) {
    return async ({ pageSize, pageToken }: PageQuery) => {
      const { status, body } = await read(path, of(), {
        ...params,
        pageSize: String(pageSize),
        ...(pageToken !== undefined && { pageToken }),
      })
      const reason = body.error?.details.find((one) => one.reason)?.reason ?? null
      const keys = (body.requests ?? body.apiUsage ?? []).map(keyOf)
      return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
    }
  }

  return { account, anotherKey, read, logged, send, insertRequests, pagesOf }
}
