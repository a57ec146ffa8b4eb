import { expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import type { World } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf } from '../support/ask.ts'
import { DESKTOP, observe } from '../support/browser.ts'
import { consoleBrowser } from '../support/consoleBrowser.ts'
import { enterKey, violations } from '../support/consolePage.ts'
import { injectWallet } from '../support/injectedWallet.ts'

const USER = userAt(7).address
const WALLET = 'Harbor Wallet'

/** The guided deposit with a wallet of the browser, against a whole product that is not a local world. */
export function testInjectedWallet(product: () => { url: string; world: World }) {
  test('behavior: a wallet that announces itself deposits: chain, permit, transaction', async () => {
    const browser = await consoleBrowser()
    const { url, world } = product()
    const apiKey = keyOf(url) ?? ''
    const seen = await observe(browser, 'about:blank', DESKTOP)
    const { page } = seen
    const wallet = await injectWallet(page, {
      name: WALLET,
      address: USER,
      rpcUrls: world.rpcUrls,
      // The page must switch it.
      chainId: 4663,
    })
    await page.goto(`${url}/console/try?journey=deposit`)
    await enterKey(page, apiKey)
    await page.getByText('moves real tokens').waitFor()
    wallet.refuse('eth_requestAccounts')
    const connect = page.getByRole('button', { name: WALLET })
    await connect.click()
    await page.getByRole('alert').waitFor()
    expect(await violations(page)).toEqual([])
    await connect.click()
    await page.getByText(`${WALLET}:`).waitFor()

    const vault = page.getByRole('combobox', { name: 'Vault' })
    const harbor = vault.getByRole('option').filter({ hasText: 'Harbor Dollar' })
    await vault.selectOption(await harbor.getAttribute('value'))
    await page.getByRole('combobox', { name: 'Token' }).selectOption({ label: 'USDC' })
    await page.getByLabel('Amount in USDC').fill('40')
    const prepare = () => page.getByRole('button', { name: 'Prepare the deposit' }).click()
    const sign = async (title: string) => {
      await page.getByRole('heading', { name: title }).waitFor()
      await page.getByRole('button', { name: `Sign with ${WALLET}` }).click()
    }
    wallet.refuse('eth_signTypedData_v4')
    await prepare()
    await sign('Sign the permit')
    await page.getByRole('alert').filter({ hasText: 'reject' }).waitFor()
    expect(wallet.asked).not.toContain('eth_sendTransaction')
    await prepare()
    await sign('Sign the permit')
    await sign('Sign the deposit')
    await page.getByRole('heading', { name: 'Your position in Harbor Dollar' }).waitFor()

    const { vault: vaultAddress } = vaultDeployment('Harbor Dollar', 1)
    const { earn } = createCausewayClient({ url, apiKey })
    const filter = { chainId: 1, vaultAddress }
    const [position] = await earn.userPositions({ userAddress: USER, filter }).take(1)
    expect(position?.shareBalance).toBeGreaterThan(0n)
    const needed = ['wallet_switchEthereumChain', 'eth_signTypedData_v4', 'eth_sendTransaction']
    expect(wallet.asked).toEqual(expect.arrayContaining(needed))
    // The wallet reaches the node; the page itself reaches only the api.
    const strangers = seen.requests.filter((one) => !/^(data|about):/.test(one))
    expect(strangers.filter((one) => !one.startsWith(url))).toEqual([])
    expect(seen.complaints.filter((text) => text.includes('Content Security'))).toEqual([])
  })
}
