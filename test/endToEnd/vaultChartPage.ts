import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { keyOf } from '../support/ask.ts'
import { DESKTOP, observe } from '../support/browser.ts'
import { consoleBrowser } from '../support/consoleBrowser.ts'
import { enterKey, violations } from '../support/consolePage.ts'
import type { EarnWorld } from '../support/earnWorld.ts'
import { longVaultLife } from '../support/longVaultLife.ts'
import { setHeadTime } from '../support/testIndex.ts'
import { insertLife } from '../support/vaultLives.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
const AGE_DAYS = 800
const { vault } = vaultDeployment('Harbor Dollar', 1)

/** The points of TVL per choice: the multiples of its interval within the time, and the value of now. */
const POINTS = { '1 d': 25, '7 d': 29, '30 d': 31, '1 y': 366, All: Math.floor(AGE_DAYS / 7) + 2 }
/** Heights on the canvas that a line with values from one to five times as much has at least. */
const LEAST_HEIGHTS = 4

/** The charts of a vault with a history of more than two years. */
export function testVaultCharts(earn: () => EarnWorld) {
  test('behavior: the charts of a vault draw its history, for each choice of the time', async () => {
    const { url, context } = earn().api
    const now = Math.floor(Date.now() / (7 * DAY * 1_000)) * 7 * DAY + HOUR / 2
    await setHeadTime(context.sql, 1, now)
    await insertLife(context.sql, longVaultLife({ chainId: 1, vault, days: AGE_DAYS, now }))
    const browser = await consoleBrowser()
    const { page, complaints } = await observe(browser, `${url}/console/earn/1/${vault}`, DESKTOP)
    await enterKey(page, keyOf(url) ?? '')
    const chart = (name: string) => page.getByRole('figure', { name })
    await chart('TVL, 31 points').waitFor()
    for (const [range, count] of Object.entries(POINTS)) {
      await page.getByRole('radio', { name: range, exact: true }).click()
      await chart(`TVL, ${count} points`).waitFor()
      expect([range, await lineHeights(page, 'TVL')]).toEqual([range, expect.toSatisfy(isMoving)])
      expect([range, await lineHeights(page, 'APY')]).toEqual([range, expect.toSatisfy(isDrawn)])
    }
    expect(await violations(page)).toEqual([])
    const tvl = chart('TVL, ')
    await tvl.getByRole('button', { name: 'Show as a table' }).click()
    await tvl.getByRole('region', { name: 'TVL' }).getByRole('cell').first().waitFor()
    // Before the key is entered, the page is refused.
    expect(complaints.filter((text) => !text.includes('Failed to load'))).toEqual([])
  })
}

type Canvas = {
  width: number
  height: number
  getContext(kind: '2d'): {
    getImageData(...box: [number, number, number, number]): { data: Uint8ClampedArray }
  } | null
}
type Heights = { columns: number; marked: number; heights: number }

const isDrawn = ({ columns, marked }: Heights) => marked > columns * 0.9
const isMoving = (found: Heights) => isDrawn(found) && found.heights >= LEAST_HEIGHTS

/** How many columns of a chart's canvas have a line, and at how many different heights. */
function lineHeights(page: Page, name: string): Promise<Heights> {
  const canvas = page.getByRole('figure', { name: `${name}, ` }).locator('canvas')
  return canvas.evaluate((element) => {
    const drawn = element as unknown as Canvas // The types of the DOM are not those of Node.
    const { width, height } = drawn
    const pixels = drawn.getContext('2d')?.getImageData(0, 0, width, height).data ?? []
    // The axes are at the left and below; the line is the highest mark between.
    const isLine = (x: number, y: number) => {
      const [red = 0, green = 0, blue = 0, alpha = 0] = [0, 1, 2, 3].map(
        (part) => pixels[(y * width + x) * 4 + part],
      )
      return alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 60
    }
    const left = Math.round(width * 0.15)
    const columns = Math.round(width * 0.7)
    const rows = Array.from({ length: Math.round(height * 0.8) }, (_, y) => y)
    const tops = Array.from({ length: columns }, (_, x) => rows.find((y) => isLine(left + x, y)))
    const marked = tops.filter((y) => y !== undefined)
    return { columns, marked: marked.length, heights: new Set(marked).size }
  })
}
