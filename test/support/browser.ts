import sparticuz from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { PATIENCE_MS } from './patience.ts'

export const DESKTOP = { width: 1_440, height: 900 }
export const PHONE = { width: 390, height: 844 }

/** A real, headless Chromium; its program comes with a package, so that every machine has the same. */
export async function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ['--no-sandbox', '--headless', '--disable-gpu', '--disable-dev-shm-usage'],
  })
}

/** The requests and errors of a page since it was opened. */
export type Observed = { page: Page; requests: string[]; complaints: string[] }

/** Opens an address in a new profile, and records every request and error. */
export async function observe(
  browser: Browser,
  url: string,
  viewport: { width: number; height: number },
): Promise<Observed> {
  // A browser without a desktop takes its language from the shell, where it may be none.
  return observeIn(await browser.newContext({ viewport, locale: 'en-US' }), url)
}

/** The same in a profile that is there. */
export async function observeIn(context: BrowserContext, url: string): Promise<Observed> {
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const requests: string[] = []
  const complaints: string[] = []
  // The context has the requests of its workers too.
  context.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  return { page, requests, complaints }
}
