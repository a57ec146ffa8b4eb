import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { z } from 'zod'
import { findDataDirectory } from '../../processes/dataDirectory.ts'
import { readRunFile } from '../../processes/start/runFile.ts'
import { startBrowser } from '../support/browser.ts'

/** Pictures of every page of the running local world: `npm run console:screenshots`. */
const folder = findDataDirectory(process.env)
const target = join(folder, 'screenshots')
const run = await readRunFile(folder)
if (!run) throw new Error(`nothing runs in ${folder}: npm start first`)
const { apiUrl, apiKey, consoleUrl } = run

const SIZES = { desktop: { width: 1_440, height: 900 }, phone: { width: 390, height: 844 } }
const STATES = ['data', 'empty', 'failing'] as const
const SETTLED_MS = 800

const answerOf = async (path: string) => {
  const response = await fetch(`${apiUrl}${path}`, { headers: { 'x-api-key': apiKey } })
  return response.json()
}

/** Pages that need no id of the running world. */
const OWN_PAGES = [
  'sign-in',
  'account',
  'keys',
  'usage',
  'requests',
  'webhooks',
  'webhooks/new',
  'webhooks/catalogue',
  'events',
  'members',
  'audit',
  'smart-deposits',
  'try',
  'try?journey=deposit',
  'try?journey=withdraw',
  'admin/organizations',
  'admin/routes',
  'admin/index',
  'admin/keepers',
  'admin/audit',
] as const

async function pages(): Promise<[name: string, url: string][]> {
  const user = run?.accounts[0]?.address ?? ''
  const { orders } = z
    .object({ orders: z.array(z.object({ id: z.string(), status: z.string() })) })
    .parse(await answerOf(`/v1/transit/orders?userAddress=${user}&pageSize=50`))
  const { vaults } = z
    .object({
      vaults: z.array(
        z.object({
          deployments: z.array(z.object({ chainId: z.number(), boringVaultAddress: z.string() })),
        }),
      ),
    })
    .parse(await answerOf('/v2/earn/vaults?pageSize=1'))
  const vault = vaults[0]?.deployments[0]
  const { smartDeposits } = z
    .object({ smartDeposits: z.array(z.object({ depositId: z.string(), status: z.string() })) })
    .parse(await answerOf('/v2/earn/smartDeposits?pageSize=100'))
  const deposits = new Map(smartDeposits.map(({ depositId, status }) => [status, depositId]))
  const byStatus = new Map(orders.map(({ id, status }) => [status, id]))
  return [
    ['overview', consoleUrl],
    ['orders', `${consoleUrl}/transit?q=${user}`],
    ['routes', `${consoleUrl}/routes`],
    ...[...byStatus].map(([status, id]): [string, string] => [
      `order-${status.toLowerCase()}`,
      `${apiUrl}/orders/${id}`,
    ]),
    ['vaults', `${consoleUrl}/earn`],
    ['vault', `${consoleUrl}/earn/${vault?.chainId}/${vault?.boringVaultAddress}`],
    ['address', `${consoleUrl}/users/${user}`],
    ...[...deposits].map(([status, id]): [string, string] => [
      `smart-deposit-${status.toLowerCase()}`,
      `${consoleUrl}/smart-deposits/${id}`,
    ]),
    ...OWN_PAGES.map((path): [string, string] => [
      path.replaceAll(/\W/g, '-'),
      `${consoleUrl}/${path}`,
    ]),
  ]
}

type State = (typeof STATES)[number]

/** Answers as another state of the installation would give them. */
async function pretend(page: Page, state: State) {
  // A held request may outlive its page.
  await page.route(/\/v[123]\//, (route) => answer(route, state).catch(() => {}))
}

async function answer(route: Route, state: State) {
  if (state === 'failing') return route.abort()
  const response = await route.fetch()
  if (state === 'data') return route.fulfill({ response })
  const body: Record<string, unknown> = await response.json()
  const emptied = Object.entries(body).map(([key, value]) => [
    key,
    Array.isArray(value) ? [] : value,
  ])
  return route.fulfill({ response, json: Object.fromEntries(emptied) })
}

await mkdir(target, { recursive: true })
const browser = await startBrowser()
const wanted = process.argv.slice(2)
for (const [name, url] of await pages()) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const state of STATES) {
    const context = await browser.newContext({ locale: 'en-US' })
    await context.request.post(`${apiUrl}/console/api/sign-in/local`, {
      data: {},
      headers: { origin: apiUrl },
    })
    const page = await context.newPage()
    await pretend(page, state)
    await page.goto(url)
    for (const [size, viewport] of Object.entries(SIZES))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize(viewport)
        await page.emulateMedia({ colorScheme })
        await page.waitForTimeout(SETTLED_MS)
        const path = join(target, `${name}-${state}-${size}-${colorScheme}.png`)
        await page.screenshot({ path, fullPage: true })
      }
    await context.close()
  }
}
await browser.close()
process.stdout.write(`${target}\n`)
