import { migrate } from '../db/migrate.ts'
import { userAt } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { type Ends, quotePath } from '../test/support/quotes.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { startBenchApi, untilAnswered } from './benchApi.ts'
import { gets, measureAtRate } from './measure.ts'

/** Measures quotes at a rate, by default 200 a second, by the real api over real nodes: `node bench/quotes.ts [rate]`. */
const RATE = Number(process.argv[2] ?? 200)
const SECONDS = 30
const BOUNDS_MS = { p50: 8, p99: 30 }
const print = (line: string) => process.stdout.write(`${line}\n`)

await using started = new AsyncDisposableStack()
const postgres = await startTemporaryPostgres()
started.defer(postgres.stop)
const { world, addressBook: book, stop } = await startTestWorld([1, 4663], { blockTimeSeconds: 1 })
started.defer(stop)
await migrate(postgres.url)
const { rpcUrls } = world
const capped = { from: 1, to: 1, offer: 'USDC', want: 'USDS' } as const
const addressBook = withCap(book, capped)
const api = await startBenchApi({ databaseUrl: postgres.url, addressBook, rpcUrls })
started.defer(api.stop)
const cases = {
  'across chains': { from: 1, to: 4663, offer: 'USDC', want: 'USDG' },
  'on one chain': { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
  'with a cap': capped,
} as const
const [first = ''] = pathsOf(cases['across chains'])
await untilAnswered(`${api.url}${first}`)
for (const [name, ends] of Object.entries(cases)) {
  const measured = { name, port: api.port, requests: gets(pathsOf(ends)) }
  const { p50, p90, p99, max } = await measureAtRate(measured, RATE, SECONDS)
  const holds = p50 <= BOUNDS_MS.p50 && p99 <= BOUNDS_MS.p99
  const [a, b, c, d] = [p50, p90, p99, max].map((ms) => ms.toFixed(1).padStart(6))
  print(
    `${holds ? 'holds' : 'FAILS'}  ${name.padEnd(14)} p50 ${a}  p90 ${b}  p99 ${c}  max ${d} ms`,
  )
  if (!holds) process.exitCode = 1
}
print(`bounds at ${RATE}/s: p50 ${BOUNDS_MS.p50}, p99 ${BOUNDS_MS.p99} ms`)

/** Paths with fifty different amounts. */
function pathsOf(ends: Ends): string[] {
  return Array.from({ length: 50 }, (_, index) =>
    quotePath(ends, { userAddress: userAt(0).address, offerAmount: String(2_000_000_000 + index) }),
  )
}

/** The book with a cap on one route that is never reached, so that every quote is counted. */
function withCap(full: AddressBookFile, { from, to, offer, want }: Ends): AddressBookFile {
  const isCapped = (route: AddressBookFile['transitRoutes'][number]) =>
    route.sourceChainId === from &&
    route.destinationChainId === to &&
    isToken(route.offerAsset, offer) &&
    isToken(route.wantAsset, want)
  return {
    ...full,
    transitRoutes: full.transitRoutes.map((route) =>
      isCapped(route) ? { ...route, hourlyCap: String(10n ** 30n) } : route,
    ),
  }
}

function isToken(address: string, symbol: Ends['offer']): boolean {
  return address.toLowerCase() === DEPLOYMENT.tokens[symbol].toLowerCase()
}
