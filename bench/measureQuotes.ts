import { migrate } from '../db/migrate.ts'
import { userAt } from '../devnet/accounts.ts'
import { DEPLOYMENT } from '../devnet/deployment.ts'
import type { AddressBookFile } from '../domain/addressBook/addressBook.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { type Ends, quotePath } from '../test/support/quotes.ts'
import { startBenchApi, untilAnswered } from './benchApi.ts'
import { startBenchPostgres } from './benchPostgres.ts'
import type { BenchOptions, Figure } from './figure.ts'
import { gets, measureAtRate } from './measure.ts'

const PER_SECOND = 200
const SECONDS = 10
const MOST_MS = { p50: 8, p99: 30 }

/** Measures quotes at 200 a second, by the real api over real nodes. */
export async function measureQuotes({ report, isWanted, rounds }: BenchOptions) {
  await using started = new AsyncDisposableStack()
  const postgres = await startBenchPostgres()
  started.defer(postgres.stop)
  const nodes = await startTestWorld([1, 4663], { blockTimeSeconds: 1 })
  started.defer(nodes.stop)
  await migrate(postgres.url)
  const { rpcUrls } = nodes.world
  const capped = { from: 1, to: 1, offer: 'USDC', want: 'USDS' } as const
  const addressBook = withCap(nodes.addressBook, capped)
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
    if (!isWanted(name)) continue
    const measured = { name, port: api.port, requests: gets(pathsOf(ends)) }
    const p50: Figure = { values: [], most: MOST_MS.p50 }
    const p99: Figure = { values: [], most: MOST_MS.p99 }
    for (let round = 0; round < rounds; round++) {
      const latency = await measureAtRate(measured, PER_SECOND, SECONDS)
      p50.values.push(latency.p50)
      p99.values.push(latency.p99)
    }
    report({ group: `Quotes: ${PER_SECOND} a second`, name, figures: { p50, p99 } })
  }
}

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
