import { createPublicClient, createWalletClient, http, parseUnits } from 'viem'
import { expect, test } from 'vitest'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { type Observed, observe } from '../support/browser.ts'
import { consoleBrowser } from '../support/consoleBrowser.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import type { TestProduct } from '../support/product.ts'

const DESKTOP = { width: 1_280, height: 900 }

/** The page of an order against a whole product. */
export function testConsoleJourney(product: () => TestProduct) {
  test('behavior: the page of an order moves from awaited to paid without a reload', async () => {
    const browser = await consoleBrowser()
    const { url, world } = product()
    const unknown = await observe(browser, `${url}/orders/0x${'ab'.repeat(32)}`, DESKTOP)
    await unknown.page.getByText('No order is known by this id yet').waitFor()
    const causeway = createCausewayClient({ url, shield: product().shield })
    const account = userAt(7)
    const transport = http(world.rpcUrls[1])
    const quote = await causeway.transit.quote({
      userAddress: account.address,
      offerAmount: parseUnits('2500', 6),
      offerAsset: DEPLOYMENT.tokens.USDC,
      sourceChainId: 1,
      wantAsset: DEPLOYMENT.tokens.USDG,
      destinationChainId: 4663,
    })
    const opened: Promise<Observed>[] = []
    const order = await causeway.transit.send({
      walletClient: createWalletClient({ account, transport }),
      publicClient: createPublicClient({ transport, pollingInterval: 50, cacheTime: 0 }),
      quote,
      onQuote: ({ orderId }) =>
        void opened.push(observe(browser, `${url}/orders/${orderId}`, DESKTOP)),
    })
    const seen = await opened[0]
    if (!seen) throw new Error('the page was not opened')
    const { page } = seen
    const loads: string[] = []
    page.on('framenavigated', (frame) => loads.push(frame.url()))
    const target = { orderId: order.id, from: 1, to: 4663, want: 'USDG' } as const
    const shows = (text: string) => page.getByText(text, { exact: true }).first().waitFor()
    await shows('On its way')
    await ORDER_STEPS.deliver(world, target)
    await shows('Being paid')
    await ORDER_STEPS.executePart(world, target)
    await shows('Payment')
    await ORDER_STEPS.execute(world, target)
    await shows('Paid')
    expect(await page.title()).toContain('paid')
    expect(loads).toEqual([])
  })
}
