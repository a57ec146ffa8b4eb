import { type Address, encodeFunctionData, erc20Abi, parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { sendCall } from '../../devnet/vaults/sendCall.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf } from '../support/ask.ts'
import { DESKTOP, observe } from '../support/browser.ts'
import { consoleBrowser } from '../support/consoleBrowser.ts'
import { enterKey, violations } from '../support/consolePage.ts'
import { looksWellInBothThemes } from '../support/looksWell.ts'

const FINALITY_BLOCKS = 70
const PAYER = userAt(5)

/** The pages of smart deposits against a whole product, with a keeper. */
export function testSmartDepositPages(product: () => { url: string; world: World }) {
  test('behavior: an address is made, paid, confirmed and finalized without a reload', async () => {
    const browser = await consoleBrowser()
    const { url, world } = product()
    const apiKey = keyOf(url) ?? ''
    const { page, requests } = await observe(browser, `${url}/console/smart-deposits`, DESKTOP)
    await enterKey(page, apiKey)
    const vault = page.getByRole('combobox', { name: 'Vault' })
    const label = await vault.getByRole('option').filter({ hasText: 'Harbor Dollar' }).textContent()
    await vault.selectOption({ label: label ?? '' })
    await page.getByRole('combobox', { name: 'Token' }).selectOption('USDC')
    await page.getByLabel('User', { exact: true }).fill('0x12')
    await page.getByRole('button', { name: 'Make the address' }).click()
    await page.getByText('An address is 0x and 40 digits.').waitFor()
    await page.getByLabel('User', { exact: true }).fill(userAt(6).address)
    await page.getByLabel('Customer id').first().fill('console-1')
    await page.getByRole('button', { name: 'Make the address' }).click()
    const code = page.getByRole('img', { name: /QR code of 0x/ })
    const address = (await code.getAttribute('aria-label'))?.split(' ').at(-1) as Address
    const accepts = page.getByRole('region', { name: 'What the address accepts' })
    await accepts.getByText('Open').first().waitFor()
    await looksWellInBothThemes(page)
    await page.setViewportSize(DESKTOP)

    const args = [address, parseUnits('75', 6)] as const
    await sendCall(world, 1, {
      account: PAYER,
      address: DEPLOYMENT.tokens.USDC,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
    })
    const { smartDeposits } = createCausewayClient({ url, apiKey })
    const paid = () => smartDeposits.deposits({ filter: { smartDepositAddress: address } }).take(1)
    await expect.poll(paid).toHaveLength(1)
    const [deposit] = await paid()
    // Another filter is read at once; the same one only after ten seconds.
    await page.getByLabel('Customer id').last().fill('console-1')
    await page.getByRole('button', { name: 'Filter' }).click()
    const loads: string[] = []
    page.on('load', () => loads.push(page.url()))
    // Other deposits are shown until the filtered ones are read.
    await page.locator(`a[href$="/smart-deposits/${deposit?.depositId}"]`).click()
    await page.getByRole('heading', { level: 1, name: /in the vault/ }).waitFor()
    await worldClient(world, 1).mine({ blocks: FINALITY_BLOCKS })
    await page.getByRole('heading', { level: 1, name: /finalized/ }).waitFor()
    expect(await violations(page)).toEqual([])
    expect(loads).toEqual([])
    await page.goto(`${url}/console/smart-deposits/addresses/${address}`)
    // A page that is loaded anew asks for the key again.
    await enterKey(page, apiKey)
    await accepts.getByText('Open').first().waitFor()
    await page.getByRole('region', { name: 'Deposits' }).getByRole('link').first().waitFor()
    expect(await violations(page)).toEqual([])
    expect(requests.filter((one) => !one.startsWith(url) && !one.startsWith('data:'))).toEqual([])
  })
}
