import { ask } from '../test/support/ask.ts'
import { gets, type Measurement, measure, measureAtRate } from './measure.ts'
import { accountAddress } from './vaultFacts.ts'
import { withVaultIndex } from './vaultIndex.ts'

/**
 * Measures the positions of a user over 200 deployments with 2,000 accounts each, at a few requests per
 * second and at half of the maximum rate of 16 connections, from the time when a request was due:
 * `node bench/positions.ts`. Ends with 1 if a bound is broken.
 */
const ACCOUNTS = 2_000
const CALM_RATE = 20
const CALM_P99_MS = 30
const P99_MS = 50
const print = (line: string) => process.stdout.write(`${line}\n`)

await withVaultIndex({ hours: 24, accounts: ACCOUNTS }, async ({ api, port, vaults }) => {
  const users = Array.from({ length: ACCOUNTS }, (_, number) => accountAddress(number + 1))
  const pathOf = (user: string) => `/v2/earn/userPositions?userAddress=${user}&pageSize=100`
  const response = await ask(`${api.url}${pathOf(users[0] ?? '')}`)
  const page = (await response.json()) as {
    userPositions: { shareBalance: string }[]
    nextPageToken: string
  }
  const held = page.userPositions.filter(({ shareBalance }) => shareBalance !== '0').length
  print(`${[...vaults.values()].flat().length} deployments, ${held} of the first 100 with shares`)
  const filter = encodeURIComponent(`vaultAddress = ${vaults.get(1)?.[0]}`)
  for (const [name, paths] of [
    ['a first page', users.map(pathOf)],
    ['a second page', [`${pathOf(users[0] ?? '')}&pageToken=${page.nextPageToken}`]],
    ['one vault', users.map((user) => `${pathOf(user)}&filter=${filter}`)],
  ] as const) {
    const measured = { name, port, requests: gets(paths) }
    judge(`${name}, ${CALM_RATE}/s`, await measureAtRate(measured, CALM_RATE, 12), CALM_P99_MS)
    const { maximum, ...latencies } = await measure(measured)
    judge(`${name}, half of ${maximum.toFixed(0)}/s`, latencies, P99_MS)
  }
})

function judge(name: string, { p50, p90, p99, max }: Omit<Measurement, 'maximum'>, most: number) {
  const text = [p50, p90, p99, max].map((value) => value.toFixed(1)).join(' / ')
  const verdict = p99 <= most ? 'holds ' : 'BROKEN'
  print(`${verdict}  ${name.padEnd(30)} ms: p50 / p90 / p99 / max ${text}   (p99 at most ${most})`)
  if (p99 > most) process.exitCode = 1
}
