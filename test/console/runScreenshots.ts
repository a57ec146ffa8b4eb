import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { z } from 'zod'
import { findDataDirectory } from '../../processes/dataDirectory.ts'
import { readRunFile } from '../../processes/start/runFile.ts'
import { createConnection } from '../../sdk/src/connection/connection.ts'
import { connectLocalWorld } from '../../sdk/src/testing/connectLocalWorld.ts'
import { DESKTOP, PHONE, startBrowser } from '../support/browser.ts'
import { startReceiver } from '../support/webhookReceiver.ts'
import { makeScreenshotData } from './makeScreenshotData.ts'
import { type ScreenshotPage, type State, screenshotPages } from './screenshotPages.ts'

/**
 * Pictures of every page of the running local world: `npm run console:screenshots`. Names of pages after it restrict it
 * to these.
 */
const WIDE = [1_920, 2_560].map((width) => ({ width, height: 1_080 }))
const SCHEMES = ['light', 'dark'] as const
/** Pages at once: most of the time is spent waiting for answers. */
const AT_ONCE = 3
const LOADED_MS = 60_000
/** Lists go on for longer, with more of the same. */
const MOST_HEIGHT_PX = 4_000

const DRAWN = `document.fonts.ready.then(() => new Promise((resolve) =>
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)))))`

/** The page's own requests, answered as another state would. Playwright's routes would read every file anew for each page. */
const FAILING = `const real = fetch
  globalThis.fetch = (...given) => /\\/v[123]\\//.test(new Request(...given).url)
    ? Promise.reject(new TypeError('Failed to fetch')) : real(...given)`
const EMPTY = `const real = fetch
  globalThis.fetch = async (...given) => {
    const answer = await real(...given)
    if (!/\\/v[123]\\//.test(answer.url)) return answer
    const fields = Object.entries(await answer.json())
    const emptied = fields.map(([key, value]) => [key, Array.isArray(value) ? [] : value])
    return new Response(JSON.stringify(Object.fromEntries(emptied)), answer)
  }`

type Look = { width: number; height: number; scheme: (typeof SCHEMES)[number] }
type Picture = { page: ScreenshotPage; state: State }

const folder = findDataDirectory(process.env)
const target = join(folder, 'screenshots')
const run = await readRunFile(folder)
if (!run) throw new Error(`nothing runs in ${folder}: npm start first`)
const { apiUrl } = run
const world = await connectLocalWorld(join(folder, 'run.json'))
await mkdir(target, { recursive: true })
const browser = await startBrowser()
const receiver = await startReceiver()
const member = await newContext({})
try {
  const { connection, organizationId } = await signIn(member)
  const data = await makeScreenshotData({ connection, world, receiver })
  const wanted = process.argv.slice(2)
  const pages = (await screenshotPages({ world, data, apiUrl, organizationId })).filter(
    ({ name }) => wanted.length === 0 || wanted.includes(name),
  )
  const storageState = await member.storageState()
  const contexts = {
    data: member,
    empty: await newContext({ storageState, script: EMPTY }),
    failing: await newContext({ storageState, script: FAILING }),
    stranger: await newContext({}),
  }
  const waiting = pages.flatMap((page) => page.states.map((state): Picture => ({ page, state })))
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await take(next, contexts[next.page.isPublic ? 'stranger' : next.state])
    }),
  )
} finally {
  await post(member, 'sign-out')
  await browser.close()
  await receiver.stop()
}
process.stdout.write(`${target}\n`)

async function newContext({ script, ...options }: BrowserContextOptions & { script?: string }) {
  const context = await browser.newContext({
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  })
  if (script) await context.addInitScript(script)
  return context
}

function post(context: BrowserContext, path: string) {
  const headers = { origin: apiUrl }
  return context.request.post(`${apiUrl}/console/api/${path}`, { data: {}, headers })
}

/** One session for all pictures, and the API as its page calls it. */
async function signIn(context: BrowserContext) {
  await post(context, 'sign-in/local')
  const answer = await context.request.get(`${apiUrl}/console/api/session`)
  const organization = z.object({ id: z.string(), role: z.string().nullable() })
  const { member: person } = z
    .object({ member: z.object({ organizations: z.array(organization) }) })
    .parse(await answer.json())
  // An operator sees every organization, and owns one.
  const own = person.organizations.find(({ role }) => role !== null)
  if (!own) throw new Error('the local operator owns no organization')
  const organizationId = own.id
  const cookies = await context.cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const connection = createConnection({
    url: apiUrl,
    onRequest({ headers }) {
      for (const [name, value] of Object.entries({
        cookie,
        origin: apiUrl,
        'x-causeway-organization': organizationId,
      }))
        headers.set(name, value)
    },
  })
  return { connection, organizationId }
}

/** One page in one state, in each of its looks. */
async function take({ page: { name, url, isWide, prepare }, state }: Picture, of: BrowserContext) {
  const page = await of.newPage()
  const answer = await page.goto(url)
  if (!answer?.ok()) throw new Error(`${url} was answered with ${answer?.status()}`)
  await loaded(page)
  await prepare?.(page)
  for (const look of looksOf(state, isWide ?? false)) {
    const { width, height, scheme } = look
    await page.setViewportSize({ width, height })
    await page.emulateMedia({ colorScheme: scheme })
    await loaded(page)
    const size = { [PHONE.width]: 'phone', [DESKTOP.width]: 'desktop' }[width] ?? String(width)
    const path = join(target, `${name}-${state}-${size}-${scheme}.png`)
    const all = await page.evaluate<number>('document.documentElement.scrollHeight')
    const clip = { x: 0, y: 0, width, height: Math.min(Math.max(all, height), MOST_HEIGHT_PX) }
    await page.screenshot({ path, fullPage: true, clip })
  }
  await page.close()
}

function looksOf(state: State, isWide: boolean): Look[] {
  const looks = [DESKTOP, PHONE].flatMap((size) => SCHEMES.map((scheme) => ({ ...size, scheme })))
  const wide = isWide && state === 'data' ? WIDE : []
  return [...looks, ...wide.map((size) => ({ ...size, scheme: 'light' as const }))]
}

/** Resolves once the page has its heading and its fonts, no part of it loads, and the last change is drawn. */
async function loaded(page: Page) {
  const skeletons = page.locator('.skeleton')
  await page.locator('h1').first().waitFor({ timeout: LOADED_MS })
  do {
    await skeletons.first().waitFor({ state: 'detached', timeout: LOADED_MS })
    await page.evaluate(DRAWN)
    // A part may begin to load once another is there.
  } while ((await skeletons.count()) > 0)
}
