import { execFile, spawn } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { createPublicClient, createWalletClient, type Hex, http, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { devnetUserKeys, userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { observeIn, startBrowser } from '../support/browser.ts'
import { bundlePage } from '../support/bundlePage.ts'
import { freePorts } from '../support/freePorts.ts'
import { ORDER_STEPS } from '../support/orderSteps.ts'
import type { TestProduct } from '../support/product.ts'
import type { StrangersProject } from '../support/strangersProject.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const SIZE = { width: 1_280, height: 800 }
const ENDS = { from: 1, to: 4663, want: 'USDG' } as const
const REACT_18 = {
  react: join(root, 'test/oldest-peers/node_modules/react'),
  'react-dom': join(root, 'test/oldest-peers/node_modules/react-dom'),
}

/** The page's component, for the server and for the browser. */
const APP = `
import { createCausewayClient } from '@causeway/sdk'
import { CausewayProvider, transitOrderOptions, useTransitOrder, useTransitOrders } from '@causeway/sdk/react'
import { HydrationBoundary, QueryClientProvider, useSuspenseQuery } from '@tanstack/react-query'
import { createElement as h, StrictMode, Suspense, useState } from 'react'
import { createQueryClient } from './readme.ts'

function Status({ causeway, orderId }) {
  const { data } = useSuspenseQuery(transitOrderOptions(causeway, { orderId }))
  useTransitOrder({ orderId })
  return h('p', { id: 'status' }, data.status)
}
function Paid({ orderId }) {
  const { data } = useTransitOrder({ orderId })
  return h('p', { id: 'paid' }, data ? String(data.amountDue - data.remainingAmountDue) : 'unknown')
}
function Listed({ userAddress }) {
  const { data = [] } = useTransitOrders({ userAddress, pageSize: 1 })
  return h('p', { id: 'listed' }, data.map(({ status }) => status).join())
}
function Page(props) {
  const [isShown, setShown] = useState(true)
  const parts = [h(Status, { key: 1, ...props }), h(Paid, { key: 2, ...props }), h(Listed, { key: 3, ...props })]
  return h('main', null,
    h('button', { type: 'button', onClick: () => setShown(!isShown) }, 'Toggle'),
    isShown && h(Suspense, { fallback: 'waiting' }, parts))
}
export function App({ client = createQueryClient(), state, url, ...props }) {
  const causeway = createCausewayClient({ url })
  return h(StrictMode, null, h(QueryClientProvider, { client }, h(CausewayProvider, { client: causeway },
    h(HydrationBoundary, { state }, h(Page, { causeway, ...props })))))
}
`
const SERVER = `
import { createCausewayClient } from '@causeway/sdk'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { App } from './app.js'
import { readOrder } from './readme.ts'

const { orderId, userAddress, url } = process.env
const state = JSON.parse(await readOrder(createCausewayClient({ url }), orderId))
const props = { orderId, userAddress, url, state }
process.stdout.write(JSON.stringify({ props, html: renderToString(createElement(App, props)) }))
`
const BROWSER = `
import { createElement } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { App } from './app.js'

const props = JSON.parse(document.getElementById('props').textContent)
hydrateRoot(document.getElementById('root'), createElement(App, props))
`

/** The hooks of the SDK in Chromium, against a whole product. */
export function testSdkReact(product: () => TestProduct, project: () => StrangersProject) {
  describe('@causeway/sdk/react', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await startBrowser()
    })
    afterAll(() => browser?.close())

    /** Serves a page at the URL of the API, so that it needs no CORS. */
    async function servePage(
      context: BrowserContext,
      url: string,
      { body, program, alias }: { body: string; program: string; alias?: Record<string, string> },
    ) {
      const script = await bundlePage(project().folder, program, alias)
      await context.route(`${url}/page`, (route) =>
        route.fulfill({ contentType: 'text/html', body }),
      )
      await context.route(`${url}/page.js`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: script }),
      )
    }

    test('default: a page of the server is hydrated, follows its order, and leaves no stream', async () => {
      const { url, world } = product()
      const { address: userAddress } = userAt(7)
      const orderId = await sendOrder(product(), 7)
      const [, ofServer = ''] = await readmeBlocks()
      await project().write('readme.ts', ofServer)
      await project().write('app.js', APP)
      await project().write('server.js', SERVER)
      const rendered = JSON.parse(await project().run('server.js', { url, orderId, userAddress }))
      expect(rendered.html).toContain('<p id="status">PENDING_BRIDGE</p>')
      const context = await browser.newContext()
      onTestFinished(() => context.close())
      await servePage(context, url, { body: pageOf(rendered), program: BROWSER })
      const streams = countStreams(context)
      const { page, complaints } = await observeIn(context, `${url}/page`)
      const shown = async () => ({
        status: await page.locator('#status').textContent(),
        paid: await page.locator('#paid').textContent(),
        listed: await page.locator('#listed').textContent(),
      })
      await expect.poll(() => streams.open).toBe(1)
      const target = { orderId, ...ENDS }
      await ORDER_STEPS.deliver(world, target)
      await expect.poll(shown).toMatchObject({
        status: 'PROCESSING',
        listed: 'PROCESSING',
      })
      const toggle = page.getByRole('button', { name: 'Toggle' })
      await toggle.click()
      await expect.poll(() => streams.open).toBe(0)
      await toggle.click()
      await expect.poll(() => streams.open).toBe(1)
      await ORDER_STEPS.execute(world, target)
      const { amountDue } = await createCausewayClient({ url }).transit.order({ orderId })
      await expect.poll(shown).toEqual({
        status: 'PROCESSED',
        paid: String(amountDue),
        listed: 'PROCESSED',
      })
      await toggle.click()
      await expect.poll(() => streams.open).toBe(0)
      expect(streams.most).toBe(1)
      expect(complaints).toEqual([])
    })

    test.each([
      ['19', {}],
      ['18', REACT_18],
    ])(
      'behavior: the first block of sdk/README.md shows an order, in React %s',
      async (version, alias) => {
        const { url } = product()
        const [block = ''] = await readmeBlocks()
        const orderId = await sendOrder(product(), 7)
        await project().write('readme.tsx', block)
        const mounted = `
import { createElement, version } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './readme.tsx'
document.title = version
createRoot(document.getElementById('root')).render(createElement(App, { orderId: '${orderId}' }))
`
        const context = await browser.newContext()
        onTestFinished(() => context.close())
        const body = pageOf({ html: '', props: {} })
        await servePage(context, url, { body, program: mounted, alias })
        await context.route(`${url}/causeway/**`, (route) =>
          route.continue({ url: route.request().url().replace('/causeway/', '/') }),
        )
        const { page, complaints } = await observeIn(context, `${url}/page`)
        await page.getByText(/^PENDING_BRIDGE, [1-9]\d+ left$/).waitFor()
        expect(await page.title()).toMatch(new RegExp(`^${version}\\.`))
        expect(complaints).toEqual([])
      },
    )

    test('behavior: examples/react-app is at most 80 lines, and sends and follows an order from its build', async () => {
      const folder = join(project().folder, 'react-app')
      await cp(join(root, 'examples/react-app'), folder, {
        recursive: true,
        filter: (path) => !/node_modules|dist/.test(path),
      })
      const program = await readFile(join(folder, 'main.tsx'), 'utf8')
      expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(80)
      await run(join(root, 'node_modules/.bin/tsc'), ['--project', folder, '--checkers', '1'])
      const url = await buildAndServe(folder, {
        CAUSEWAY_URL: product().url,
        RPC_URL: product().world.rpcUrls[1] ?? '',
        SHIELD_BOOK: product().shieldBookFile,
        SHIELD_SIGNER: product().shield.signers[0] ?? '',
        SHIELD_ENVIRONMENT: product().shield.environment ?? '',
        PRIVATE_KEY: devnetUserKeys()[8]?.privateKey ?? '',
      })
      const context = await browser.newContext({ viewport: SIZE })
      onTestFinished(() => context.close())
      const streams = countStreams(context)
      const { page, complaints } = await observeIn(context, url)
      const loads: string[] = []
      page.on('framenavigated', (frame) => loads.push(frame.url()))
      await page.getByRole('button', { name: 'Local account' }).click()
      // Text that is no amount asks for nothing, and leaves the page as it is.
      for (const amount of ['', '1e5', '-1', '0']) {
        await page.getByRole('spinbutton').fill(amount)
        await expect.poll(() => page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true)
      }
      await page.getByRole('spinbutton').fill('2600')
      await page.getByText(/^The receiver gets 259\d\.\d+ USDG$/).waitFor()
      await shoot(page, 'react-app-quote')
      await page.getByRole('button', { name: 'Send' }).click()
      const status = page.getByRole('status')
      await expect.poll(() => status.textContent()).toBe('PENDING_BRIDGE')
      const { transit } = createCausewayClient({ url: product().url })
      const [order] = await transit.orders({ userAddress: userAt(8).address }).take(1)
      if (!order) throw new Error('no order')
      const target = { orderId: order.id, ...ENDS }
      await ORDER_STEPS.deliver(product().world, target)
      await expect.poll(() => status.textContent()).toBe('PROCESSING')
      await ORDER_STEPS.executePart(product().world, target)
      await page.getByText(/^\d+:\d+:\d+ .*EXECUTED$/).waitFor()
      await ORDER_STEPS.execute(product().world, target)
      await expect.poll(() => status.textContent()).toBe('PROCESSED')
      await shoot(page, 'react-app-paid')
      expect(streams).toEqual({ open: 1, most: 1 })
      await page.getByRole('button', { name: 'Close' }).click()
      await expect.poll(() => streams.open).toBe(0)
      // Chromium reports refusals that pass too: the order is not known at first, or the index is behind.
      const others = complaints.filter((text) => !text.startsWith('Failed to load resource'))
      expect(others).toEqual([])
      expect(loads).toEqual([])
    })
  })
}

/** The blocks of sdk/README.md that need a bundler or a server of pages. */
async function readmeBlocks(): Promise<string[]> {
  const page = await readFile(join(root, 'sdk/README.md'), 'utf8')
  return [...page.matchAll(/```tsx\n(.*?)```/gs)].map(([, code]) => code ?? '')
}

/** Submits an order of a user. Returns its id. */
async function sendOrder({ url, world, shield }: TestProduct, index: number): Promise<Hex> {
  const account = userAt(index)
  const transport = http(world.rpcUrls[1])
  const { transit } = createCausewayClient({ url, shield })
  const quote = await transit.quote({
    userAddress: account.address,
    offerAsset: DEPLOYMENT.tokens.USDC,
    offerAmount: parseUnits('2500', 6),
    sourceChainId: 1,
    wantAsset: DEPLOYMENT.tokens.USDG,
    destinationChainId: 4663,
  })
  const { id } = await transit.send({
    walletClient: createWalletClient({ account, transport }),
    publicClient: createPublicClient({ transport, pollingInterval: 50 }),
    quote,
  })
  await transit.wait(id, { until: 'SUBMITTED' })
  return id
}

type Rendered = { html: string; props: object }

function pageOf({ html, props }: Rendered): string {
  const data = JSON.stringify(props).replaceAll('<', '\\u003c')
  return `<!doctype html><link rel="icon" href="data:,"><div id="root">${html}</div>
<script type="application/json" id="props">${data}</script><script type="module" src="/page.js"></script>`
}

/** The streams that the pages have open now, and the most that they had open at a time. */
function countStreams(context: BrowserContext): { open: number; most: number } {
  const streams = { open: 0, most: 0 }
  const isStream = (request: Request) => request.url().endsWith('/graphql/stream')
  context.on('request', (request) => {
    if (!isStream(request)) return
    streams.open++
    streams.most = Math.max(streams.most, streams.open)
  })
  const end = (request: Request) => {
    if (isStream(request)) streams.open--
  }
  context.on('requestfinished', end)
  context.on('requestfailed', end)
  return streams
}

/** Builds an app with Vite and serves the build. Returns its URL. */
async function buildAndServe(folder: string, variables: Record<string, string>): Promise<string> {
  const [port = 0] = await freePorts(1)
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const options = { cwd: folder, env: { ...process.env, NODE_ENV: 'production', ...variables } }
  await run(process.execPath, [vite, 'build'], options)
  const args = [vite, 'preview', '--host', '127.0.0.1', '--port', String(port), '--strictPort']
  const served = spawn(process.execPath, args, options)
  onTestFinished(() => void served.kill())
  const url = `http://127.0.0.1:${port}/`
  await expect
    .poll(() =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    .toBe(true)
  return url
}

/** Kept for a look at the page after the test. */
async function shoot(page: Page, name: string) {
  const folder = process.env.SCREENSHOTS
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
}
