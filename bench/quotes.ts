import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../db/migrate.ts'
import { DEVNET_USERS } from '../devnet/accounts.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { startApiProcess } from '../test/support/apiProcess.ts'
import { quotePath } from '../test/support/quotes.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { measureAtRate } from './measure.ts'

/** What a quote takes at 50 requests per second, by the real api over real nodes: `node bench/quotes.ts`. */
const RATE = 50
const SECONDS = 30
const BOUNDS_MS = { p50: 15, p99: 60 }
const print = (line: string) => process.stdout.write(`${line}\n`)
const [user] = DEVNET_USERS
if (!user) throw new Error('Invariant(quotes): anvil has default accounts')

const postgres = await startTemporaryPostgres()
const { world, addressBook, stop } = await startTestWorld([1, 4663], { blockTimeSeconds: 1 })
const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
try {
  await migrate(postgres.url)
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(addressBook))
  const api = await startApiProcess({
    ...{ databaseUrl: postgres.url, addressBook: file, rpcUrls: world.rpcUrls },
    appSecret: randomBytes(32).toString('hex'),
  })
  try {
    await untilQuoting(api.url)
    const port = Number(new URL(api.url).port)
    const amounts = Array.from({ length: 50 }, (_, index) => String(2_000_000_000 + index))
    const cases = {
      'across chains': { from: 1, to: 4663, offer: 'USDC', want: 'USDG' },
      'on one chain': { from: 1, to: 1, offer: 'USDC', want: 'USDG' },
    } as const
    for (const [name, ends] of Object.entries(cases)) {
      const paths = amounts.map((offerAmount) =>
        quotePath(ends, { userAddress: user.address, offerAmount }),
      )
      const { p50, p90, p99, max } = await measureAtRate({ name, port, paths }, RATE, SECONDS)
      const holds = p50 <= BOUNDS_MS.p50 && p99 <= BOUNDS_MS.p99
      const [a, b, c, d] = [p50, p90, p99, max].map((ms) => ms.toFixed(1).padStart(6))
      print(
        `${holds ? 'holds' : 'FAILS'}  ${name.padEnd(14)} p50 ${a}  p90 ${b}  p99 ${c}  max ${d} ms`,
      )
      if (!holds) process.exitCode = 1
    }
    print(`bounds at ${RATE}/s: p50 ${BOUNDS_MS.p50}, p99 ${BOUNDS_MS.p99} ms`)
  } finally {
    await api.stop()
  }
} finally {
  await stop()
  await postgres.stop()
  await rm(folder, { recursive: true })
}

async function untilQuoting(url: string) {
  const path = quotePath(
    { from: 1, to: 4663, offer: 'USDC', want: 'USDG' },
    { userAddress: user?.address ?? '', offerAmount: '2000000000' },
  )
  const deadline = Date.now() + 30_000
  for (;;) {
    // Nobody listens yet.
    const response = await fetch(`${url}${path}`).catch(() => null)
    if (response?.ok) return
    if (Date.now() > deadline) throw new Error(`no quote: ${await response?.text()}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
