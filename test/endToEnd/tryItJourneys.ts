import type { Browser, Page } from 'playwright-core'
import type { Hash } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { forceProcess } from '../../devnet/vaults/queueOperator.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { ask, keyOf } from '../support/ask.ts'
import { DESKTOP, observe, startBrowser } from '../support/browser.ts'
import { builtConsole } from '../support/builtConsole.ts'
import { looksWellInBothThemes } from '../support/looksWell.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import type { TestProduct } from '../support/product.ts'

const ACCOUNT = 3
const deployment = vaultDeployment('Harbor Dollar', 1)

/** The guided journeys of the console, made with an account of the local world. */
export function testTryItJourneys(product: () => TestProduct) {
  describe('Try it', () => {
    let browser: Browser
    let page: Page
    const strangers: string[] = []
    beforeAll(async () => {
      await builtConsole()
      browser = await startBrowser()
      const seen = await observe(browser, `${product().url}/console/sign-in`, DESKTOP)
      page = seen.page
      page.on('request', (request) => {
        if (!request.url().startsWith(product().url)) strangers.push(request.url())
      })
      await page.getByRole('button', { name: 'Sign in to the local world' }).click()
      await page.getByText('Value under way').first().waitFor()
    })
    afterAll(() => browser?.close())

    const shows = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
    const choose = (name: string, label: string) =>
      page.getByRole('combobox', { name }).selectOption({ label })
    const chainName = (id: number) =>
      product().addressBookFile.chains.find((chain) => chain.id === id)?.name ?? ''

    async function begin(journey: string) {
      await page.getByRole('link', { name: 'Try it' }).click()
      await page.getByRole('link', { name: journey, exact: true }).click()
      await choose('Local account', userAt(ACCOUNT).address)
    }

    async function sign(title: string) {
      const refused = page.getByRole('alert')
      await page.getByRole('heading', { name: title }).or(refused).first().waitFor()
      expect(await refused.allInnerTexts()).toEqual([])
      await page.getByRole('button', { name: 'Sign with the local account' }).click()
    }

    test('default: a transit, from its quote to PROCESSED without a reload', async () => {
      await begin('Transit')
      await choose('Route', `USDC on ${chainName(1)} → USDG on ${chainName(4663)}`)
      const loads: string[] = []
      page.on('framenavigated', (frame) => loads.push(frame.url()))
      await page.getByRole('button', { name: 'Ask for a quote' }).click()
      await sign('Sign the permit')
      const permitted = /Let the transit station take [\d,.]+ USDC on Ethereum\./
      await page.getByText(permitted).first().waitFor()
      await sign('Sign the order')
      await shows('On its way')
      const own = page.getByRole('link', { name: "Open the order's own page" })
      const orderId = (await own.getAttribute('href'))?.split('/').at(-1) as Hash
      const target = { orderId, from: 1, to: 4663, want: 'USDG' } as const
      await ORDER_STEPS.deliver(product().world, target)
      await shows('Being paid')
      await ORDER_STEPS.execute(product().world, target)
      await shows('Paid')
      expect(loads).toEqual([])
    })

    test('behavior: each request is shown in three forms, and as GraphQL it runs as it stands', async () => {
      const first = page.getByRole('listitem').filter({ hasText: 'GET /v1/transit/orders/quote' })
      const shown = first.first().getByRole('region', { name: 'request' })
      expect(await shown.textContent()).toMatch(/^curl 'http.+orders\/quote\?/)
      await first.first().getByRole('radio', { name: 'TypeScript' }).click()
      expect(await shown.textContent()).toContain('await causeway.transit.indicativeQuote({')
      await first.first().getByRole('radio', { name: 'GraphQL' }).click()
      // The choice is for all steps.
      const texts = await page.getByRole('region', { name: 'request' }).allInnerTexts()
      expect(texts.length).toBeGreaterThan(3)
      for (const query of texts) {
        const response = await ask(`${product().url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        })
        const body = await response.text()
        // The permit was used, so the simulation of the last quote is refused now.
        expect([query, /GRAPHQL_|BAD_USER_INPUT|INVALID_FIELD/.test(body)]).toEqual([query, false])
      }
      await looksWellInBothThemes(page)
      await page.setViewportSize(DESKTOP)
    })

    test('default: a vault is entered and left, each with the position at the end', async () => {
      await begin('Deposit')
      await choose('Vault', `Harbor Dollar on ${chainName(1)}`)
      await choose('Token', 'USDC')
      await page.getByLabel('Amount in USDC').fill('250')
      await page.getByRole('button', { name: 'Prepare the deposit' }).click()
      await sign('Sign the permit')
      await sign('Sign the deposit')
      await page.getByRole('heading', { name: 'Your position in Harbor Dollar' }).waitFor()
      const { url, world } = product()
      const causeway = createCausewayClient({ url, apiKey: keyOf(url) ?? '' })
      const user = userAt(ACCOUNT).address
      const position = async () => {
        const filter = { chainId: 1, vaultAddress: deployment.vault }
        const [found] = await causeway.earn.userPositions({ userAddress: user, filter }).take(1)
        return found?.shareBalance ?? 0n
      }
      const held = await position()
      expect(held).toBeGreaterThan(0n)

      await begin('Withdraw')
      await choose('Vault', `Harbor Dollar on ${chainName(1)}`)
      await page.getByRole('button', { name: 'Prepare the withdrawal' }).click()
      await sign('Sign the permit')
      await sign('Sign the withdrawal')
      await shows('In the queue')
      const filter = { userAddress: user, status: 'PENDING' } as const
      const [request] = await causeway.earn.withdrawalRequests({ filter }).take(1)
      await forceProcess(world, deployment, request?.orderIndex ?? 0n)
      await shows('Paid')
      await page.getByRole('heading', { name: 'Your position in Harbor Dollar' }).waitFor()
      expect(await position()).toBe(0n)
    })

    test('behavior: a signature that is refused sends nothing', async () => {
      await begin('Deposit')
      await page.getByRole('button', { name: 'Prepare the deposit' }).click()
      await page.getByRole('button', { name: 'Do not sign' }).click()
      await page.getByText('You did not sign, so nothing was sent.').waitFor()
      expect(await page.getByText('Transaction sent').count()).toBe(0)
      // The page's policy holds on the local world too: the nodes are reached through the api.
      expect(strangers).toEqual([])
    })
  })
}
