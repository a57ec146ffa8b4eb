import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findDataDirectory } from '../../processes/dataDirectory.ts'
import { connectLocalWorld } from '../../sdk/src/testing/connectLocalWorld.ts'
import { startBrowser } from '../support/browser.ts'

/**
 * The pictures of the README, light and dark: an order that was just paid, in the console of the running local world.
 * `npm run docs:pictures` writes them to `docs/images`.
 */
const target = join(import.meta.dirname, '../../docs/images')
const runFile = join(findDataDirectory(process.env), 'run.json')
const { causeway, accounts, wallets } = await connectLocalWorld(runFile)
const [user] = accounts
if (!user) throw new Error('the local world has no account')

const quote = await causeway.transit.quote({
  userAddress: user.address,
  offerAsset: '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3', // USDC
  offerAmount: 2_000_000_000n,
  sourceChainId: 1,
  wantAsset: '0x69e033B6Da21D3DC7e4f1684081901712032c3C8', // USDG
  destinationChainId: 4663,
})
const order = await causeway.transit.send({ ...wallets(), quote })
await causeway.transit.wait(order.id)
await mkdir(target, { recursive: true })
const browser = await startBrowser()
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({
      locale: 'en-US',
      reducedMotion: 'reduce',
      colorScheme,
      viewport: { width: 1_280, height: 760 },
    })
    await page.goto(`${causeway.url}/orders/${order.id}`)
    await page.getByRole('heading', { name: 'Timeline' }).waitFor()
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: join(target, `order-${colorScheme}.png`) })
    await page.close()
  }
} finally {
  await browser.close()
}
process.stdout.write(`${target}\n`)
