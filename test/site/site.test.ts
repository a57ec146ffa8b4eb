import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { SITE_PAGES } from '../../site/pages.ts'
import { readQuestions } from '../../site/readQuestions.ts'
import { DESKTOP, observe, PHONE, startBrowser } from '../support/browser.ts'
import { violations } from '../support/consolePage.ts'
import { serveFolder } from '../support/serveFolder.ts'

/** The site that `npm run site` has built. */

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'site/dist')
const html = new Map(
  globSync('**/*.html', { cwd: dist }).map((file) => [
    `/${file.replace(/(index)?\.html$/, '')}`,
    readFileSync(join(dist, file), 'utf8'),
  ]),
)

let site: Awaited<ReturnType<typeof serveFolder>>
let browser: Browser
beforeAll(async () => {
  site = await serveFolder(dist)
  browser = await startBrowser()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(async () => {
  await browser?.close()
  await site?.stop()
})

test('behavior: every link leads to a page and a heading that are there', () => {
  const lost = [...html].flatMap(([page, text]) =>
    [...text.matchAll(/<a [^>]*?href="([^"]+)"/g)].flatMap(([, href = '']) => {
      if (/^\w+:/.test(href)) return []
      const { pathname, hash } = new URL(href, `http://site${page}`)
      const target = html.get(pathname)
      const isThere =
        target && (hash === '' || target.includes(` id="${decodeURI(hash.slice(1))}"`))
      return isThere ? [] : [`${page}: ${href}`]
    }),
  )
  expect([...new Set(lost)]).toEqual([])
})

test.each([
  ['/', 'light', DESKTOP],
  ['/webhooks', 'dark', DESKTOP],
  ['/operating/on-call', 'light', PHONE],
  ['/reference/transit', 'light', DESKTOP],
] as const)(
  'behavior: %s loads nothing from elsewhere, and axe finds nothing, %s',
  async (path, scheme, size) => {
    const seen = await observe(browser, `${site.url}${path}`, size)
    await seen.page.emulateMedia({ colorScheme: scheme })
    await seen.page.getByRole('heading', { level: 1 }).waitFor()
    expect(await violations(seen.page)).toEqual([])
    expect(
      seen.requests.filter((url) => !url.startsWith(site.url) && !url.startsWith('data:')),
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
    `/${pathOf.get(page)?.replace(/(^|\/)index$/, '$1')}`,
  ])
}

describe('the search', () => {
  test('default: finds the page of every question by its words', async () => {
    const { page } = await observe(browser, site.url, DESKTOP)
    await page.getByRole('button', { name: 'Search' }).first().click()
    const input = page.locator('#localsearch-input')
    const lost: string[] = []
    for (const [question, path] of questions()) {
      await input.fill('')
      await page.locator('#localsearch-list .result').first().waitFor({ state: 'detached' })
      await input.fill(question)
      await page.locator('#localsearch-list .result').first().waitFor()
      const found = await page
        .locator('#localsearch-list a.result')
        .evaluateAll((links) =>
          links.map((link) => new URL((link as unknown as { href: string }).href).pathname),
        )
      const pages = [...new Set(found)].slice(0, 5)
      if (!pages.includes(path)) lost.push(`${question} → ${path}: ${pages.join(' ')}`)
    }
    expect(lost).toEqual([])
  })
})
