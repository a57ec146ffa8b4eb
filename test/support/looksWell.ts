import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { DESKTOP, PHONE } from './browser.ts'
import { isTooWide, violations } from './consolePage.ts'

/** Nothing of the page is out of sight, on a desktop and on a phone, where it is dark; `test/console/pages.test.ts` has both themes. */
export async function looksWell(page: Page): Promise<void> {
  expect([page.url(), 'desktop', await isTooWide(page)]).toEqual([page.url(), 'desktop', false])
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(PHONE)
  expect([page.url(), await violations(page)]).toEqual([page.url(), []])
  expect([page.url(), await isTooWide(page)]).toEqual([page.url(), false])
  await page.setViewportSize(DESKTOP)
}
