import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Address } from 'viem'
import { migrate } from '../db/migrate.ts'
import { connect } from '../db/sql.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { type ApiProcess, startApiProcess } from '../test/support/apiProcess.ts'
import { withManyVaults } from '../test/support/manyVaults.ts'
import { startTemporaryPostgres } from '../test/support/temporaryPostgres.ts'
import { seedBuilds } from './seedBuilds.ts'
import { vaultFacts } from './vaultFacts.ts'

export type VaultIndex = {
  api: ApiProcess
  port: number
  /** By chain id. */
  vaults: Map<number, Address[]>
}

export type VaultIndexOptions = { hours: number; accounts: number }

const NAMES = 100
const MODELS = [
  { name: 'Harbor Dollar', chainId: 1 },
  { name: 'Harbor Dollar', chainId: 8453 },
]
const READY_MS = 30_000

/**
 * The real api over 200 deployments on two real nodes, whose index holds so many hours of each, in a
 * Postgres of its own. Three years take two minutes and 1.2 GB.
 */
export async function withVaultIndex(
  options: VaultIndexOptions,
  use: (index: VaultIndex) => Promise<void>,
) {
  await using started = new AsyncDisposableStack()
  const postgres = await startTemporaryPostgres()
  started.defer(postgres.stop)
  const { world, stop } = await startTestWorld(
    MODELS.map(({ chainId }) => chainId),
    { withVaults: true },
  )
  started.defer(stop)
  const addressBook = await withManyVaults(world, { models: MODELS, count: NAMES })
  const copies = (addressBook.vaults ?? []).filter(({ name }) => name.startsWith('Copy'))
  const vaults = Map.groupBy(
    copies.flatMap(({ deployments }) => deployments),
    ({ chainId }) => chainId,
  )
  const listed = new Map(
    [...vaults].map(([chainId, entries]) => [
      chainId,
      entries.map(({ vault }) => vault.address as Address),
    ]),
  )
  await migrate(postgres.url)
  const sql = connect(postgres.url, { applicationName: 'bench-seed', max: 3 })
  const headTime = Math.floor(Date.now() / 1_000)
  await seedBuilds(sql, {
    ...{ databaseUrl: postgres.url, addressBook },
    chains: [...listed].map(([chainId, addresses]) =>
      vaultFacts({ ...{ chainId, vaults: addresses, headTime }, ...options }),
    ),
  }).finally(() => sql.end())

  const folder = await mkdtemp(join(tmpdir(), 'causeway-bench-'))
  started.defer(() => rm(folder, { recursive: true }))
  const file = join(folder, 'address-book.json')
  await writeFile(file, JSON.stringify(addressBook))
  const api = await startApiProcess({
    ...{ databaseUrl: postgres.url, addressBook: file, rpcUrls: world.rpcUrls },
    appSecret: randomBytes(32).toString('hex'),
  })
  started.defer(api.stop)
  await untilReady(api)
  await use({ api, port: Number(new URL(api.url).port), vaults: listed })
}

async function untilReady({ url, output }: ApiProcess) {
  const deadline = Date.now() + READY_MS
  // Nobody listens at first.
  while (!(await fetch(`${url}/ready`).catch(() => null))?.ok) {
    if (Date.now() > deadline) throw new Error(`The api does not come up:\n${output()}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
