import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { GUIDES } from '../../api/docs/guides.ts'
import { processTerm } from '../../site/.vitepress/theme/processTerm.ts'
import { SITE_PAGES } from '../../site/pages.ts'
import { readQuestions } from '../../site/readQuestions.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { DESKTOP, observe, PHONE, startBrowser } from '../support/browser.ts'
import { violations } from '../support/consolePage.ts'

/** The site that `npm run site` has built, as the api serves it. */

const BASE = '/docs/'
const dist = join(import.meta.dirname, '../../site/dist')
const html = new Map(
  globSync('**/*.html', { cwd: dist }).map((file) => [
    `${BASE}${file.replace(/(index)?\.html$/, '')}`,
    readFileSync(join(dist, file), 'utf8'),
  ]),
)

let api: TestApi
let browser: Browser
beforeAll(async () => {
  api = await startTestApi()
  browser = await startBrowser()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  await api?.stop()
})

test('behavior: every link leads to a page and a heading that are there', async () => {
  const beside = new Set<string>()
  const lost = [...html].flatMap(([page, text]) =>
    [...text.matchAll(/<a [^>]*?href="([^"]+)"/g)].flatMap(([, href = '']) => {
      if (/^\w+:/.test(href)) return []
      const { pathname, hash } = new URL(href, `http://site${page}`)
      const target = html.get(pathname)
      if (target === undefined) {
        beside.add(pathname)
        return []
      }
      const isThere = hash === '' || target.includes(` id="${decodeURI(hash.slice(1))}"`)
      return isThere ? [] : [`${page}: ${href}`]
    }),
  )
  expect([...new Set(lost)]).toEqual([])
  // The documents that the api serves beside the site.
  expect([...beside].sort()).toEqual([
    '/docs/graphiql',
    '/docs/reference',
    '/docs/schema.graphql',
    '/openapi.json',
  ])
  for (const path of beside)
    expect([path, (await fetch(`${api.url}${path}`)).status]).toEqual([path, 200])
})

test('behavior: every page that was served before has its path, and links into the reference lead on', async () => {
  for (const guide of GUIDES)
    expect(await (await fetch(`${api.url}/docs/${guide}`)).text()).toBe(html.get(`/docs/${guide}`))
  const { page } = await observe(
    browser,
    `${api.url}/docs#tag/transit/GET/v1/transit/orders`,
    DESKTOP,
  )
  await page.waitForURL('**/docs/reference#tag/transit/GET/v1/transit/orders')
})

test.each([
  ['', 'light', DESKTOP],
  ['webhooks', 'dark', DESKTOP],
  ['operating/on-call', 'light', PHONE],
  ['reference/transit', 'light', DESKTOP],
] as const)(
  'behavior: /docs/%s loads nothing from elsewhere, and axe finds nothing, %s',
  async (path, scheme, size) => {
    const seen = await observe(browser, `${api.url}${BASE}${path}`, size)
    await seen.page.emulateMedia({ colorScheme: scheme })
    await seen.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await violations(seen.page)).toEqual([])
    expect(
      seen.requests.filter((url) => !url.startsWith(api.url) && !url.startsWith('data:')),
    ).toEqual([])
    expect(seen.complaints).toEqual([])
  },
)

/** Each question, and the path of the page that answers it. */
function questions(): [question: string, path: string][] {
  const pathOf = new Map(
    SITE_PAGES.flatMap(({ pages }) => pages).map(({ source, path }) => [source, path]),
  )
  return readQuestions().map(({ question, page }) => [
    question,
    `${BASE}${pathOf.get(page)?.replace(/(^|\/)index$/, '$1')}`,
  ])
}

/** The search of the built site, with the options that VitePress and our theme give it. */
async function searchIndex(): Promise<(question: string) => string[]> {
  const [file = ''] = globSync('assets/chunks/@localSearchIndexroot.*.js', { cwd: dist })
  const { default: index } = await import(pathToFileURL(join(dist, file)).href)
  const vitepress = createRequire(join(dist, '../node_modules/vitepress/package.json'))
  const search = vitepress('minisearch').loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    processTerm,
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  })
  return (question) => {
    // The input of the page takes no more characters.
    const results: { id: string }[] = search.search(question.slice(0, 64))
    return results.slice(0, 16).map(({ id }) => id)
  }
}

describe('the search', () => {
  test('default: finds the page of every question by its words', async () => {
    const find = await searchIndex()
    const lost = questions().flatMap(([question, path]) => {
      const found = find(question).map((id) => id.replace(/#.*/, ''))
      const pages = [...new Set(found)].slice(0, 5)
      return pages.includes(path) ? [] : [`${question} → ${path}: ${pages.join(' ')}`]
    })
    expect(lost).toEqual([])
  })

  // The page waits before it searches: all questions would take minutes.
  test('behavior: the page lists what the index finds, in its order', async () => {
    const find = await searchIndex()
    const { page } = await observe(browser, `${api.url}${BASE}`, DESKTOP)
    await page.getByRole('button', { name: 'Search' }).first().click()
    const input = page.locator('#localsearch-input')
    const some = questions().filter((_, place) => place % 16 === 0)
    expect(some.length).toBeGreaterThan(4)
    for (const [question] of some) {
      await input.fill('')
      await page.locator('#localsearch-list .result').first().waitFor({ state: 'detached' })
      await input.fill(question)
      await page.locator('#localsearch-list .result').first().waitFor()
      const listed = await page.locator('#localsearch-list a.result').evaluateAll((links) =>
        links.map((link) => {
          const { pathname, hash } = new URL((link as unknown as { href: string }).href)
          return `${pathname}${hash}`
        }),
      )
      expect([question, listed]).toEqual([question, find(question)])
    }
  })
})

test('behavior: a link of the API leads out of the site, and a page of the site loads without the whole', async () => {
  const { page, complaints } = await observe(browser, `${api.url}/docs/webhooks`, DESKTOP)
  await page.getByRole('link', { name: 'Limits', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'Limits' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs/limits')
  await page.getByRole('button', { name: 'API', exact: true }).hover()
  await page.getByRole('link', { name: 'REST, to try' }).click()
  await page.waitForURL('**/docs/reference')
  await page.getByRole('heading', { name: 'Causeway' }).first().waitFor()
  expect(complaints).toEqual([])
})
