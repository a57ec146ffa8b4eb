import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

type Violation = { id: string; impact: string; nodes: string[] }

const axe = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The serious and critical findings of axe on a page. */
export async function violations(page: Page): Promise<Violation[]> {
  // Evaluated by the debugger, which the page's policy does not concern.
  await page.evaluate(await axe)
  return page.evaluate(async () => {
    // Cast, because the script above made this global, and TypeScript does not see that.
    const { axe: run } = globalThis as unknown as {
      axe: {
        run(): Promise<{
          violations: { id: string; impact: string; nodes: { target: string[] }[] }[]
        }>
      }
    }
    const found = await run.run()
    return found.violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, impact, nodes }) => ({
        id,
        impact,
        nodes: nodes.map(({ target }) => target.join()),
      }))
  })
}

/** Whether a page is wider than its window, or a table wider than its frame: a part of it is out of sight. */
export function isTooWide(page: Page): Promise<boolean> {
  return page.evaluate(`[document.documentElement, ...document.querySelectorAll('.table-frame')]
    .some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)`)
}

/** Makes a page speak with an API key, as an integrator does who types it. */
export async function enterKey(page: Page, apiKey: string): Promise<void> {
  await page.getByRole('button', { name: 'Use an API key' }).first().click()
  await page.getByRole('textbox', { name: 'Key' }).fill(apiKey)
  await page.getByRole('button', { name: 'Use it' }).click()
}
