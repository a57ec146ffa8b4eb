import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { getVariableValues, Kind } from 'graphql'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { exampleTabs } from '../../api/docs/exampleTabs.ts'
import { GUIDES } from '../../api/docs/guides.ts'
import { prepareOperation } from '../../api/graphql/prepareOperation.ts'
import { exampleParameters } from '../../api/openapi/examples.ts'
import { schema } from '../../schema/schema.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type Observed, observe, startBrowser } from '../support/browser.ts'
import { insertOrder, orderRow } from '../support/insertOrder.ts'

let api: TestApi
let browser: Browser
beforeAll(async () => {
  api = await startTestApi()
  const { orderId: id } = exampleParameters('getTransitOrder')
  await insertOrder(api.context.sql, orderRow({ id: id as `0x${string}` }))
  browser = await startBrowser()
})
// A reference that stays open takes the processor from the next one.
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  await api?.stop()
})

function strangers({ requests }: Observed): string[] {
  return requests.filter((url) => !url.startsWith(api.url) && !/^(data|blob):/.test(url))
}

/** Kept for a look at the page after the test. */
async function shoot({ page }: Observed, name: string) {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}

const SIZES = [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 844 }],
] as const

test.each(SIZES)('behavior: /docs/reference renders the reference, on a %s', async (name, size) => {
  const seen = await observe(browser, `${api.url}/docs/reference`, size)
  await seen.page.getByRole('heading', { name: 'Causeway' }).first().waitFor()
  await shoot(seen, `docs-${name}`)
  await seen.page.goto(`${api.url}/docs/reference#tag/earn/GET/v2/earn/deposit`)
  await seen.page.getByText('depositAmount').first().waitFor()
  await shoot(seen, `docs-deposit-${name}`)
  expect(strangers(seen)).toEqual([])
  expect(seen.complaints).toEqual([])
})

test.each(SIZES)('behavior: /graphiql runs its example queries, on a %s', async (name, size) => {
  const seen = await observe(browser, `${api.url}/graphiql`, size)
  const { page } = seen
  const answer = page.locator('.graphiql-response')
  const run = async (tab: string, expected: string) => {
    // Not with the mouse: tabs can be dragged, and take a fast click for the start of a drag.
    await page.locator('.graphiql-tab-button', { hasText: tab }).dispatchEvent('click')
    await page.locator('.graphiql-tab-active', { hasText: tab }).waitFor()
    // The editor takes a moment to switch to the other operation.
    await page.waitForTimeout(600)
    await page.locator('.graphiql-execute-button').click()
    await answer.getByText(expected).first().waitFor()
  }
  // The tab that is open at first needs no key.
  await page.locator('.graphiql-tab-active', { hasText: 'HowFresh' }).waitFor()
  await page.locator('.graphiql-execute-button').click()
  await answer.getByText('lagSeconds').first().waitFor()
  await shoot(seen, `graphiql-${name}`)
  await run('OrderById', 'PROCESSING')
  await run('OrderAsItMoves', 'finalized')
  await page.getByRole('button', { name: 'Headers' }).click()
  await page.getByText('"x-api-key"').waitFor()
  await shoot(seen, `graphiql-stream-${name}`)
  expect(seen.requests).toContain(`${api.url}/graphql/stream`)
  expect(strangers(seen)).toEqual([])
  expect(seen.complaints).toEqual([])
})

test('error: a link fills in no operation of its own', async () => {
  const query = 'mutation FromALink { createApiKey(name: "a", permissions: []) { secret } }'
  const search = new URLSearchParams({ query, variables: '{}', operationName: 'FromALink' })
  const { page } = await observe(browser, `${api.url}/graphiql?${search}`, SIZES[0][1])
  await page.locator('.graphiql-tab-active', { hasText: 'HowFresh' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  expect(await page.getByText('FromALink').count()).toBe(0)
})

test('behavior: assets of a page are cached for good, the page itself is revalidated', async () => {
  const page = await fetch(`${api.url}/graphiql`)
  expect(page.headers.get('content-security-policy')).toContain("connect-src 'self'")
  const etag = page.headers.get('etag') ?? ''
  const again = await fetch(`${api.url}/graphiql`, { headers: { 'if-none-match': etag } })
  expect([page.headers.get('cache-control'), again.status]).toEqual(['no-cache', 304])
  const [path] = /\/graphiql\/assets\/graphiql[^"]+js/.exec(await page.text()) ?? []
  const asset = await fetch(`${api.url}${path}`, { headers: { 'accept-encoding': 'identity' } })
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect(asset.headers.get('content-encoding')).toBeNull()
  expect(await asset.text()).toContain('YogaGraphiQL')
  expect((await fetch(`${api.url}/graphiql/assets/nothing.js`)).status).toBe(404)
})

test('default: /openapi.json is docs/openapi.json', async () => {
  const response = await fetch(`${api.url}/openapi.json`)
  const committed = new URL('../../docs/openapi.json', import.meta.url)
  expect(await response.json()).toEqual(JSON.parse(await readFile(committed, 'utf8')))
  const headers = { 'if-none-match': response.headers.get('etag') ?? '' }
  expect((await fetch(`${api.url}/openapi.json`, { headers })).status).toBe(304)
})

test('default: /llms.txt has the format, names every guide, and every link answers 200', async () => {
  const response = await fetch(`${api.url}/llms.txt`)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const text = await response.text()
  expect(text).toMatch(/^# Causeway\n\n> .+\n\n/)
  const entries = [...text.matchAll(/^- \[(.+?)\]\((\/\S+)\): (.+)$/gm)]
  expect(entries).toHaveLength(text.match(/^- /gm)?.length ?? 0)
  const paths = entries.map(([, , path]) => path)
  expect(paths).toEqual(expect.arrayContaining(GUIDES.map((guide) => `/docs/${guide}.md`)))
  for (const path of paths)
    expect([path, (await fetch(`${api.url}${path}`)).status]).toEqual([path, 200])
})

test('behavior: the links of the Markdown pages lead to what is served', async () => {
  const lost: string[] = []
  const full = await (await fetch(`${api.url}/llms-full.txt`)).text()
  for (const guide of GUIDES) {
    const response = await fetch(`${api.url}/docs/${guide}.md`)
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    const text = await response.text()
    expect(full).toContain(text)
    for (const [, href = ''] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|#)/.test(href)) continue
      const [path = ''] = href.split('#')
      if (!(await fetch(`${api.url}${path}`)).ok) lost.push(`${guide}: ${href}`)
    }
  }
  expect(lost).toEqual([])
})

test('default: /schema.graphql is schema/schema.graphql', async () => {
  const committed = new URL('../../schema/schema.graphql', import.meta.url)
  const response = await fetch(`${api.url}/schema.graphql`)
  expect(await response.text()).toBe(await readFile(committed, 'utf8'))
})

test('behavior: a public call of the reference: its curl runs as pasted, and it is sent, without a key', async () => {
  const seen = await observe(browser, `${api.url}/docs/reference`, SIZES[0][1])
  const { page } = seen
  const go = (operation: string) =>
    page.goto(`${api.url}/docs/reference#tag/transit/GET${operation}`)
  const calls = [
    ['/v1/transit/orders', /curl.*\/v1\/transit\/orders\?/, '"orders":'],
    ['/v1/transit/orders/{orderId}', /curl.*\/v1\/transit\/orders\/0x/, '"status":"PROCESSING"'],
  ] as const
  for (const [operation, path, shown] of calls) {
    await go(operation)
    const snippet = page.locator('code', { hasText: path }).first()
    await snippet.waitFor()
    const command = (await snippet.textContent()) ?? ''
    expect(command).not.toMatch(/x-api-key/i)
    const { stdout } = await promisify(execFile)('bash', ['-ec', command])
    expect(stdout).toContain(shown)
  }

  await go('/v1/transit/orders')
  await page.locator('button', { hasText: '/v1/transit/orders)' }).click()
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().includes('/v1/transit/orders')),
    page.getByRole('button', { name: /^send/i }).first().click(),
  ])
  await shoot(seen, 'docs-sent')
  expect(await request.headerValue('x-api-key')).toBeNull()
  expect((await request.response())?.status()).toBe(200)
})

test('behavior: every example of GraphiQL is a valid operation with the variables it needs', () => {
  for (const { query, variables } of exampleTabs()) {
    const { document } = prepareOperation(query)
    const [operation] = document.definitions
    if (operation?.kind !== Kind.OPERATION_DEFINITION) throw new Error('not an operation')
    const { errors } = getVariableValues(
      schema,
      operation.variableDefinitions ?? [],
      JSON.parse(variables ?? '{}'),
    )
    expect(errors ?? []).toEqual([])
  }
})
