import type { Browser } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { startBrowser } from './browser.ts'
import { builtConsole } from './builtConsole.ts'

/** A browser for one test of the built console. It is closed when the test ends. */
export async function consoleBrowser(): Promise<Browser> {
  await builtConsole()
  const browser = await startBrowser()
  onTestFinished(() => browser.close())
  return browser
}
