import type { Page } from 'playwright-core'
import type { Hash } from 'viem'
import { expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { worldClient } from '../../devnet/world.ts'
import { DESKTOP, observe } from '../support/browser.ts'
import { consoleBrowser } from '../support/consoleBrowser.ts'
import { looksWellInBothThemes } from '../support/looksWell.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import type { TestProduct } from '../support/product.ts'

const ACCOUNT = userAt(3)
const FINALITY_BLOCKS = 70

/** The first guided journey of the console, and the pages of its two legs, against a whole product with a keeper. */
export function testFromAnywherePage(product: () => TestProduct) {
  test('behavior: the console: from the form to final shares, and each leg names the other', async () => {
    const browser = await consoleBrowser()
    const { url, world, addressBookFile } = product()
    const chainName = (id: number) => addressBookFile.chains.find((chain) => chain.id === id)?.name
    const { page } = await observe(browser, `${url}/console/sign-in`, DESKTOP)
    await page.getByRole('button', { name: 'Sign in to the local world' }).click()
    await page.getByRole('link', { name: 'Try it' }).click()
    const choose = (name: string, label: string) =>
      page.getByRole('combobox', { name }).selectOption({ label })
    await choose('Local account', ACCOUNT.address)
    await choose('Vault', `Harbor Dollar on ${chainName(1)}`)
    await choose('Pay with', `USDG on ${chainName(4663)} → USDG`)
    await page.getByLabel('Amount in USDG').fill('250')
    // Another vault is reached by other routes: an amount of another token is not kept.
    const vaults = page.getByRole('combobox', { name: 'Vault' })
    await vaults.selectOption({ label: await otherVault(page) })
    expect(await page.getByLabel(/^Amount in/).inputValue()).not.toBe('250')
    await choose('Vault', `Harbor Dollar on ${chainName(1)}`)
    await choose('Pay with', `USDG on ${chainName(4663)} → USDG`)
    await page.getByLabel('Amount in USDG').fill('250')
    const loads: string[] = []
    page.on('framenavigated', (frame) => loads.push(frame.url()))
    const client = worldClient(world, 4663)
    const nonce = () => client.getTransactionCount({ address: ACCOUNT.address })
    const before = await nonce()
    await page.getByRole('button', { name: 'Prepare the deposit' }).click()
    await sign(page, 'Sign the permit')
    await page.getByRole('heading', { name: 'Sign the deposit' }).waitFor()
    const sentence = `which only deposits for ${ACCOUNT.address}, pays it back, or sends it to the recovery wallet, gets at least`
    await page.getByText(sentence).waitFor()
    await looksWellInBothThemes(page)
    await page.setViewportSize(DESKTOP)
    await sign(page, 'Sign the deposit')

    const state = page.getByRole('region', { name: 'The journey' })
    const shows = (text: string) => state.getByText(text, { exact: true }).first().waitFor()
    await shows('Sent')
    const own = state.getByRole('link', { name: 'Its own page' }).first()
    const orderId = (await own.getAttribute('href'))?.split('/').at(-1) as Hash
    const target = { orderId, from: 4663, to: 1, want: 'USDG' } as const
    await ORDER_STEPS.deliver(world, target)
    await shows('Bridged')
    await ORDER_STEPS.execute(world, target)
    await shows('In the vault')
    await worldClient(world, 1).mine({ blocks: FINALITY_BLOCKS })
    await client.mine({ blocks: FINALITY_BLOCKS })
    await shows('Finalized')
    await page.getByRole('heading', { name: 'Your position in Harbor Dollar' }).waitFor()
    expect((await nonce()) - before).toBe(1)
    expect(loads).toEqual([])
    await looksWellInBothThemes(page)
    await page.setViewportSize(DESKTOP)

    await own.click()
    await page.getByRole('heading', { name: 'Into the vault' }).waitFor()
    await looksWellInBothThemes(page)
    await page.setViewportSize(DESKTOP)
    await page.getByRole('region', { name: 'Into the vault' }).getByRole('link').first().click()
    await page.getByRole('heading', { name: 'Paid by a Transit order' }).waitFor()
    await looksWellInBothThemes(page)
    await page.setViewportSize(DESKTOP)
    await page.getByRole('region', { name: 'Paid by a Transit order' }).getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: /paid/ }).waitFor()
  })
}

/** The first vault of the form that is not Harbor Dollar. */
async function otherVault(page: Page): Promise<string> {
  const options = page.getByRole('combobox', { name: 'Vault' }).locator('option')
  const other = (await options.allTextContents()).find((text) => !text.startsWith('Harbor Dollar'))
  if (!other) throw new Error('the form has one vault alone')
  return other
}

async function sign(page: Page, title: string) {
  const refused = page.getByRole('alert')
  await page.getByRole('heading', { name: title }).or(refused).first().waitFor()
  expect(await refused.allInnerTexts()).toEqual([])
  await page.getByRole('button', { name: 'Sign with the local account' }).click()
}
