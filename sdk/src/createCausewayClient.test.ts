import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { SentRequest } from './connection/connection.ts'
import { createCausewayClient } from './createCausewayClient.ts'
import * as groups from './generated/groups.ts'

type Paths = Record<string, Record<string, { operationId: string }>>
const file = new URL('../../docs/openapi.json', import.meta.url)
const { paths }: { paths: Paths } = JSON.parse(readFileSync(file, 'utf8'))

/** The functions that ask one operation. Flows use several, and have tests of their own. */
const OPERATED = new Set([
  'transit.quote',
  ...Object.entries(groups).flatMap(([group, members]) =>
    Object.keys(members).map((name) => `${group.replace(/Group$/, '')}.${name}`),
  ),
])

test('default: every operation of the API has a function, which asks its path', async () => {
  const sent: SentRequest[] = []
  const client = createCausewayClient({
    url: 'http://api.test',
    shield: 'trust-server',
    onRequest: (request) => sent.push(request),
    fetch: async () => new Response('{}'),
  })
  const { transit, earn, smartDeposits, webhooks, events, access, admin, core } = client
  const namespaces = { transit, earn, smartDeposits, webhooks, events, access, admin, core }
  for (const [namespace, functions] of Object.entries(namespaces))
    for (const [name, call] of Object.entries(functions)) {
      if (!OPERATED.has(`${namespace}.${name}`)) continue
      const answered = (call as (params: object) => unknown)({})
      if (answered instanceof Promise) await answered
      else await (answered as { page(): Promise<unknown> }).page()
    }
  const expected = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => {
      const url = `http://api.test${path.replaceAll(/\{\w+\}/g, 'undefined')}`
      return `${operationId} ${method.toUpperCase()} ${url}`
    }),
  )
  const asked = sent.map(({ operation, method, url }) => `${operation} ${method} ${url}`)
  // The stream is read by `follow`.
  const stream = expected.filter((line) => !line.startsWith('streamGraphql'))
  expect(asked.toSorted()).toEqual(stream.toSorted())
})

test('behavior: a setting of retries that is undefined is the default', async () => {
  let asked = 0
  const { core, retry } = createCausewayClient({
    url: 'http://api.test',
    // As JavaScript and looser compilers give it.
    retry: { attempts: undefined, maxDelayMs: 1 } as object,
    fetch: async () => {
      asked++
      throw new TypeError('fetch failed')
    },
  })
  expect(retry).toEqual({ attempts: 4, maxDelayMs: 1 })
  await expect(core.ready()).rejects.toMatchObject({ reason: 'CONNECTION_FAILED' })
  expect(asked).toBe(4)
})
