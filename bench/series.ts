import { ask } from '../test/support/ask.ts'
import { percentile } from '../test/support/percentile.ts'
import { gets, measure } from './measure.ts'
import { type VaultIndex, withVaultIndex } from './vaultIndex.ts'

/**
 * Measures series over 200 vaults, each with an event in every hour of three years: a year of days of one
 * vault, page after page, and single pages at half of the maximum rate of 16 connections, from the time
 * when a request was due. `node bench/series.ts [words of the names of the cases to run]` ends with 1 if a
 * bound is broken.
 */
const HOURS = 3 * 365 * 24
const YEAR_ROUNDS = 200
/** The bounds for a single page of 100 days, and for requests at half of the maximum rate. */
const PAGE_BOUND_MS = 20
const PAGE_P99_MS = 50
const YEAR = 31_536_000

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.some((word) => name.includes(word))
const print = (line: string) => process.stdout.write(`${line}\n`)

await withVaultIndex({ hours: HOURS, accounts: 1 }, async (index) => {
  for (const series of ['vaultApys', 'vaultTvls']) {
    const name = `a year of days, ${series}`
    if (isWanted(name)) await measureYear(index, series, name)
  }
  for (const [name, paths] of await casesOf(index)) {
    if (!isWanted(name)) continue
    const requests = gets(paths)
    const { maximum, p50, p90, p99, max } = await measure({ name, port: index.port, requests })
    const latencies = `p50 ${ms(p50)}  p90 ${ms(p90)}  p99 ${ms(p99)}  max ${ms(max)}`
    judge(
      `${name.padEnd(34)} ${maximum.toFixed(0).padStart(5)}/s   at half of it, ms: ${latencies}   (p99 at most ${PAGE_P99_MS})`,
      p99 <= PAGE_P99_MS,
    )
  }
})

/** One request after the other, in every round for a vault that was not requested for long. */
async function measureYear({ api, vaults }: VaultIndex, series: string, name: string) {
  const all = [...vaults.values()].flat()
  const years: number[] = []
  const singles: number[] = []
  for (let round = 0; round < YEAR_ROUNDS; round++) {
    const vault = all[(round * 37) % all.length]
    const pages = await walk(
      `${api.url}${yearOf(series, vault ?? '')}`,
      (page: { [series]: unknown[] }) => page[series]?.length ?? 0,
    )
    if (pages.map(({ rows }) => rows).join() !== '100,100,100,65')
      throw new Error(`pages of ${JSON.stringify(pages)}`)
    singles.push(...pages.map(({ took }) => took))
    years.push(pages.reduce((sum, { took }) => sum + took, 0))
  }
  const of = (times: number[]) =>
    `p50 ${ms(percentile(times, 0.5))}  p99 ${ms(percentile(times, 0.99))}`
  judge(
    `${name.padEnd(34)} a page, ms: ${of(singles)}   (p99 at most ${PAGE_BOUND_MS}); its four, ms: ${of(years)}`,
    percentile(singles, 0.99) <= PAGE_BOUND_MS,
  )
}

async function casesOf({ api, vaults }: VaultIndex): Promise<[string, string[]][]> {
  const all = [...vaults.values()].flat()
  const each = (path: (vault: string) => string) => all.map(path)
  const [apys, tvls] = ['vaultApys', 'vaultTvls'] as const
  const everything = `&includeCurrent=false&pageSize=100`
  const distant = await lastPage(
    `${api.url}/v2/earn/${tvls}?interval=86400&lookback=${YEAR}${everything}`,
    20,
  )
  return [
    ['a page of days, growth', each((vault) => yearOf(apys, vault))],
    ['a page of days, worth', each((vault) => yearOf(tvls, vault))],
    ['a page of hours, growth', each((vault) => `${yearOf(apys, vault)}&interval=3600`)],
    ['all vaults, growth', [`/v2/earn/${apys}?pageSize=100`]],
    ['all vaults, worth', [`/v2/earn/${tvls}?interval=3600${everything}`]],
    ['all vaults, newest first and now', [`/v2/earn/${tvls}?orderByTimestamp=desc&pageSize=100`]],
    ['all vaults, page 20', [distant]],
  ]
}

function yearOf(series: string, vault: string): string {
  const filter = encodeURIComponent(`vaultAddress = ${vault}`)
  return `/v2/earn/${series}?filter=${filter}&lookback=${YEAR}&pageSize=100&includeCurrent=false`
}

/** The result of `count` for each page of a list, and the milliseconds that each page took. */
async function walk<Page>(url: string, count: (page: Page) => number) {
  const pages: { rows: number; took: number }[] = []
  for (let next = url; ; ) {
    const startedAt = performance.now()
    const response = await ask(next)
    const page = (await response.json()) as Page & { nextPageToken: string | null }
    pages.push({ rows: count(page), took: performance.now() - startedAt })
    if (!page.nextPageToken) return pages
    next = `${url}&pageToken=${page.nextPageToken}`
  }
}

async function lastPage(url: string, pages: number): Promise<string> {
  let path = url
  for (let page = 1; page < pages; page++) {
    const { nextPageToken } = (await (await ask(path)).json()) as { nextPageToken: string }
    path = `${url}&pageToken=${nextPageToken}`
  }
  return path.slice(path.indexOf('/v2/'))
}

function ms(value: number): string {
  return value.toFixed(1).padStart(5)
}

function judge(line: string, holds: boolean) {
  print(`${holds ? 'holds ' : 'BROKEN'}  ${line}`)
  if (!holds) process.exitCode = 1
}
