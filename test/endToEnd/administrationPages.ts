import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { DESKTOP, observe, startBrowser } from '../support/browser.ts'
import { builtConsole } from '../support/builtConsole.ts'
import { looksWellInBothThemes } from '../support/looksWell.ts'
import type { TestProduct } from '../support/product.ts'

const REASON = 'The feed is doubtful'

/** The pages of operators against a whole product, by the operator of a local world. */
export function testAdministrationPages(product: () => TestProduct) {
  describe('Administration', () => {
    let browser: Browser
    let page: Page
    beforeAll(async () => {
      await builtConsole()
      browser = await startBrowser()
      const seen = await observe(browser, `${product().url}/console/sign-in`, DESKTOP)
      page = seen.page
      await page.getByRole('button', { name: 'Sign in to the local world' }).click()
      await page.getByText('Value under way').first().waitFor()
    })
    afterAll(() => browser?.close())

    // The overview links to some pages too.
    const navigation = () => page.getByRole('navigation', { name: 'Console' })
    const open = (name: string) => navigation().getByRole('link', { name, exact: true }).click()
    // Other pages say "all routes" too, and stay until this one is read.
    const openRoutes = async () => {
      await open('Routes')
      await page.getByRole('heading', { name: 'All routes', exact: true }).waitFor()
    }

    test('default: the stop of a route closes it, and the routes page shows why', async () => {
      // The browser keeps this answer for ten seconds.
      await openRoutes()
      await open('Stop routes')
      const route = page.getByRole('row').filter({ hasText: 'USDC' }).first()
      await route.getByRole('button', { name: 'Stop' }).click()
      await page.getByLabel('Reason').fill(REASON)
      await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
      await page.getByRole('cell', { name: REASON }).waitFor()
      await openRoutes()
      const closed = page.getByRole('button', { name: 'Stopped' }).first()
      // The list of routes is up to ten seconds old in this browser, but not for the operator who stopped one.
      await closed.waitFor({ timeout: 9_000 })
      await closed.focus()
      await page.getByRole('tooltip').filter({ hasText: REASON }).waitFor()
      await open('Stop routes')
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByRole('cell', { name: REASON }).waitFor({ state: 'detached' })
      await openRoutes()
      await closed.waitFor({ state: 'detached', timeout: 9_000 })
      await open('Complete audit log')
      await page.getByRole('combobox', { name: 'Action' }).selectOption('transit.resume')
      await page.getByText('filter=action = "transit.resume"').waitFor()
      await page.getByRole('cell', { name: REASON }).first().waitFor()
    })

    test('default: an organization is created, and its quota is changed', async () => {
      await open('Organizations')
      await page.getByRole('button', { name: 'Create an organization' }).click()
      await page.getByLabel('Name').fill('Console tests')
      await page.getByRole('button', { name: 'Create', exact: true }).click()
      await page.getByRole('heading', { level: 1, name: 'Console tests' }).waitFor()
      await page.getByRole('combobox', { name: 'Quota' }).selectOption('High')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved').waitFor()
      await open('Organizations')
      await page.getByRole('row').filter({ hasText: 'Console tests' }).getByText('High').waitFor()
    })

    test.each([
      ['Organizations', 'All organizations'],
      ['Stop routes', 'All routes at once'],
      ['Index builds', 'Postgres schema'],
      ['Keeper', 'Spent in 24 h'],
      ['Complete audit log', 'It is kept for ever'],
    ])(
      'default: %s has no serious fault of accessibility, and fits a phone',
      async (name, text) => {
        await page.setViewportSize(DESKTOP)
        await open(name)
        await page.getByText(text).first().waitFor()
        await looksWellInBothThemes(page)
      },
    )
  })
}
