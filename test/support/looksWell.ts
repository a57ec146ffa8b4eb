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

/** The same with axe in both themes: light on a desktop, dark on a phone. */
export async function looksWellInBothThemes(page: Page): Promise<void> {
  for (const [colorScheme, size] of [
    ['light', DESKTOP],
    ['dark', PHONE],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(size)
    expect([colorScheme, await violations(page)]).toEqual([colorScheme, []])
    expect([size.width, await isTooWide(page)]).toEqual([size.width, false])
  }
}
