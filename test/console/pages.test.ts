import { gzipSync } from 'node:zlib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAddressBook } from '../support/addressBook.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { DESKTOP, type Observed, observe, PHONE, startBrowser } from '../support/browser.ts'
import { builtConsole } from '../support/builtConsole.ts'
import { violations } from '../support/consolePage.ts'
import { insertOrders, orderRow, submissionHash } from '../support/insertOrder.ts'
import { looksWellInBothThemes } from '../support/looksWell.ts'

const NAME = '<script>alert("x")</script>'
/** Of a token: whoever deploys one chooses it. */
const SYMBOL = '<i id=x>'
const MOST_SCRIPT_BYTES = 200_000
const order = orderRow({ id: `0x${'1a'.repeat(16)}${'2b'.repeat(16)}` })
const LONG_LIST_USER = `0x${'a7'.repeat(20)}` as const
const LONG_LIST = Array.from({ length: 150 }, (_, index) => {
  const number = (index + 1).toString(16).padStart(4, '0')
  return orderRow({
    id: `0x${number.repeat(16)}`,
    user_address: LONG_LIST_USER,
    receiver: LONG_LIST_USER,
    created_at: 1_600_000_000n + BigInt(index),
  })
})
const orderPath = `/orders/${order.id}`

let api: TestApi
let browser: Browser
beforeAll(async () => {
  await builtConsole()
  const chains = testAddressBook.chains.map((chain) =>
    chain.id === 4663 ? { ...chain, name: NAME } : chain,
  )
  const tokens = testAddressBook.tokens.map((token) =>
    token.chainId === 4663 ? { ...token, symbol: SYMBOL } : token,
  )
  api = await startTestApi({ addressBook: { ...testAddressBook, chains, tokens } })
  await insertOrders(api.context.sql, [order, ...LONG_LIST])
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await api?.stop()
})

/** The paths of the pages, with a text that each shows once it has its data. */
const PAGES = [
  ['/console', 'Value under way'],
  ['/console/transit', 'Search for an order id'],
  [`/console/transit?q=${order.user_address}`, '0x1a1a…2b2b'],
  ['/console/routes', 'All routes'],
  [orderPath, 'Paid so far'],
  ['/console/earn', 'This needs an API key'],
  ['/console/smart-deposits', 'This needs an API key'],
  ['/console/try', 'This browser has no wallet'],
  ['/console/try?journey=take-back', 'This browser has no wallet'],
  ['/console/admin/organizations', 'This needs an API key'],
  ['/console/nowhere', 'There is no such page'],
] as const

/** Failures of requests are a state of the page; anything else in the console is not. */
function faults({ complaints, requests }: Observed): string[] {
  const strangers = requests.filter((url) => !url.startsWith(api.url) && !url.startsWith('data:'))
  return [...complaints.filter((text) => !text.includes('Failed to load resource')), ...strangers]
}

test.each(PAGES)(
  'default: %s has no serious fault of accessibility, no policy violation and no request to others',
  async (path, text) => {
    const seen = await observe(browser, `${api.url}${path}`, DESKTOP)
    const { page } = seen
    await page.getByText(text).first().waitFor()
    await looksWellInBothThemes(page)
    expect(faults(seen)).toEqual([])
    await page.context().close()
  },
)

test('error: names of chains and symbols of tokens are text on the live page of an order', async () => {
  const seen = await observe(browser, `${api.url}${orderPath}`, DESKTOP)
  const { page } = seen
  await page.getByText(SYMBOL).first().waitFor()
  await page.getByText(NAME).first().waitFor()
  expect(await page.locator('#x').count()).toBe(0)
  expect(faults(seen)).toEqual([])
  await page.context().close()
})

test('behavior: a search leads from a transaction to the list, and from an order id to its page', async () => {
  const { page } = await observe(browser, `${api.url}/console`, DESKTOP)
  const box = page.getByRole('textbox', { name: 'Order id, transaction or address' })
  await box.fill('0x12')
  await box.press('Enter')
  await page.getByText('Paste a whole order id').waitFor()
  await box.fill(submissionHash(order.id))
  await box.press('Enter')
  await page.getByRole('link', { name: '0x1a1a…2b2b' }).waitFor()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Being paid')
  await page.getByText(`status = "PROCESSING"`).waitFor()
  await box.fill(order.id)
  await box.press('Enter')
  await page.waitForURL(`**${orderPath}`)
  await page.getByRole('heading', { level: 1, name: /being paid/ }).waitFor()
  await page.context().close()
})

test('behavior: the menu of a phone opens, leads on and closes by the keyboard', async () => {
  const { page } = await observe(browser, `${api.url}/console`, PHONE)
  await page.getByRole('button', { name: 'Open the menu' }).press('Enter')
  await page.getByRole('dialog').getByRole('link', { name: 'Routes' }).press('Enter')
  await page.waitForURL('**/console/routes')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.context().close()
})

test('behavior: what cannot be read is a state of the page, with a way to try again', async () => {
  const { page } = await observe(browser, `${api.url}/console`, DESKTOP)
  await page.getByText('Value under way').first().waitFor()
  await page.route('**/v1/**', (route) => route.abort())
  await page.goto(`${api.url}/console/routes`)
  await page.getByText('The API does not answer').waitFor()
  expect(await violations(page)).toEqual([])
  await page.unroute('**/v1/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('The API does not answer').waitFor({ state: 'detached' })
  await page.route('**/v1/transit/orders/0x*', (route) => route.abort())
  await page.goto(`${api.url}/console/transit?q=0x${'cd'.repeat(32)}`)
  await page.getByText('The API does not answer').waitFor()
  await page.context().close()
})

test('behavior: an installation without chains is not well', async () => {
  const { page } = await observe(browser, `${api.url}/console`, DESKTOP)
  await page.getByText('Value under way').first().waitFor()
  await page.route('**/v1/core/chains*', (route) => route.fulfill({ json: { chains: [] } }))
  await page.reload()
  await page.getByText('No chain is indexed').waitFor()
  expect(await page.getByText('All well').count()).toBe(0)
  await page.context().close()
})

test('behavior: on a phone a row has its labels and values, and is sorted from above', async () => {
  const path = `/console/transit?q=${order.user_address}`
  const { page } = await observe(browser, `${api.url}${path}`, DESKTOP)
  await page.getByRole('cell').nth(1).waitFor()
  const labelOf = () =>
    page.evaluate("getComputedStyle(document.querySelectorAll('td')[1], '::before').content")
  expect(await labelOf()).toBe('none')
  await page.setViewportSize(PHONE)
  await expect.poll(labelOf).toContain('"Status"')
  await page.getByRole('button', { name: 'Created' }).click()
  await page.getByRole('columnheader', { name: 'Created' }).getByText(/[↑↓]/).waitFor()
  await page.context().close()
})

test('behavior: a long list draws only what is in view, on a phone too', async () => {
  const { page } = await observe(browser, `${api.url}/console/transit?q=${LONG_LIST_USER}`, DESKTOP)
  for (const count of [50, 100]) {
    await page.getByText(`${count} orders, more to load`).waitFor()
    await page.getByRole('button', { name: 'Load more' }).click()
  }
  await page.getByText('150 orders').waitFor()
  const rowCount = () => page.locator('tbody tr').count()
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await expect.poll(rowCount).toBeLessThan(80)
    await page.evaluate("document.querySelector('.table-frame').scrollTo(0, 0)")
    await page.getByRole('link', { name: '0x0096…0096' }).waitFor()
    // Heights are guessed until a row is drawn, so the end moves away once.
    const seesEnd = async () => {
      await page.evaluate("document.querySelector('.table-frame').scrollTo(0, 1e6)")
      return page.getByRole('link', { name: '0x0001…0001' }).isVisible()
    }
    await expect.poll(seesEnd).toBe(true)
  }
  await page.context().close()
})

test('behavior: while a new filter is read, the rows of the former one are dimmed', async () => {
  const { page } = await observe(browser, `${api.url}/console/transit?q=${LONG_LIST_USER}`, DESKTOP)
  await page.getByText('50 orders, more to load').waitFor()
  const dimmed = () =>
    page.evaluate(
      `[...document.querySelectorAll('.answer > *')].map((one) => getComputedStyle(one).opacity)`,
    )
  expect(await dimmed()).toEqual(['1', '1'])
  const read = Promise.withResolvers<void>()
  await page.route('**/v1/transit/orders?*', async (route) => {
    await read.promise
    await route.continue()
  })
  await page.getByRole('combobox', { name: 'Status' }).selectOption('REMOVED')
  await page.locator('[aria-busy="true"]').waitFor({ state: 'attached' })
  expect(await dimmed()).toEqual(['0.45', '0.45'])
  read.resolve()
  await page.getByText('No order fits').waitFor()
  expect(await dimmed()).toEqual(['1'])
  await page.context().close()
})

test('default: the first page has less than 200 kB of script, compressed', async () => {
  const { page, requests } = await observe(browser, `${api.url}/console`, DESKTOP)
  await page.getByText('Value under way').first().waitFor()
  const scripts = new Set(requests.filter((url) => url.endsWith('.js')))
  const sizes = [...scripts].map(async (url) => gzipSync(await (await fetch(url)).text()).length)
  const sum = (await Promise.all(sizes)).reduce((total, size) => total + size, 0)
  expect(sum).toBeLessThan(MOST_SCRIPT_BYTES)
  await page.context().close()
})

test('behavior: the title of an order has its status, and no markup of a name', async () => {
  const response = await fetch(`${api.url}${orderPath}`)
  const html = await response.text()
  expect(html).toContain('<title>Order 0x1a1a…2b2b: being paid · Causeway</title>')
  expect(html).toMatch(/<meta property="og:description" content="[^"]*&#60;script&#62;[^"]*"/)
  expect(html).not.toContain(NAME)
  expect(response.headers.get('cache-control')).toBe('no-store')
  for (const odd of ['0x12', '%3Cscript%3E', `0x${'ab'.repeat(32)}`]) {
    const other = await fetch(`${api.url}/orders/${odd}`)
    expect([other.status, (await other.text()).includes('script>alert')]).toEqual([200, false])
  }
})

test('behavior: the page may not be framed nor run anything inline; its files are kept for good', async () => {
  const page = await fetch(`${api.url}/console/transit`)
  const policy = page.headers.get('content-security-policy')
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  const [path] = /\/console\/assets\/index-[^"]+js/.exec(await page.text()) ?? []
  const asset = await fetch(`${api.url}${path}`)
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect((await fetch(`${api.url}/console/assets/nothing.js`)).status).toBe(404)
  const root = await fetch(api.url, { redirect: 'manual' })
  expect([root.status, root.headers.get('location')]).toEqual([302, '/console'])
})
