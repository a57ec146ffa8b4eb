import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { createChainClients } from '../domain/chain/chainClients.ts'
import { createReadStore } from '../domain/chain/keptReads.ts'
import { createKnownAddresses } from '../domain/chain/knownAddresses.ts'
import { createDeploymentStateCache } from '../domain/earn/vaults/deploymentStateCache.ts'
import { createVaultHoldingsCache } from '../domain/earn/vaults/vaultHoldingsCache.ts'
import { startTestWorld } from '../test/support/anvils.ts'
import { bookOfManyVaults } from '../test/support/manyVaults.ts'
import { percentile } from '../test/support/percentile.ts'

/**
 * Measures the processor time of a refresh of discovery, and of a refresh of vaults' holdings, over 100
 * deployments: `node bench/refresh.ts`.
 */
const ROUNDS = 30
const print = (line: string) => process.stdout.write(`${line}\n`)

const { world, stop } = await startTestWorld([1, 4663], { withVaults: true })
try {
  const models = [{ name: 'Harbor Dollar', chainId: 1 }]
  const book = await bookOfManyVaults(world, { models, count: 100 })
  const chains = createChainClients([{ chainId: 1, rpcUrls: [world.rpcUrls[1] ?? ''] }], book)
  const kinds = { states: createDeploymentStateCache, holdings: createVaultHoldingsCache }
  for (const [kind, create] of Object.entries(kinds)) {
    const known = createKnownAddresses()
    const cpu: number[] = []
    const blocked: number[] = []
    const all: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // Nothing is kept from round to round but the clients and what contracts name each other by.
      const reads = create(book, { chains, known, store: createReadStore('bench', { max: 10 }) })
      const delay = monitorEventLoopDelay({ resolution: 1 })
      delay.enable()
      const startedAt = performance.now()
      const before = process.cpuUsage()
      const answered = await reads.get(1)
      const { user, system } = process.cpuUsage(before)
      all.push(performance.now() - startedAt)
      cpu.push((user + system) / 1_000)
      // The last block is noted by the turn after it.
      await sleep(10)
      delay.disable()
      blocked.push(delay.max / 1e6)
      if (answered.size < 100) throw new Error(`${answered.size} deployments answered`)
      await sleep(50)
    }
    print(`${kind}: CPU                  ${describe(cpu)}`)
    print(`${kind}: longest block        ${describe(blocked)}`)
    print(`${kind}: until it is answered ${describe(all)}`)
  }
} finally {
  await stop()
}

/** Without the first, which also reads addresses that later ones know. */
function describe([first = 0, ...others]: number[]): string {
  const [p50 = 0, max = 0] = [0.5, 1].map((share) => percentile(others, share))
  return `p50 ${p50.toFixed(0)}  max ${max.toFixed(0)} ms, the first time ${first.toFixed(0)} ms`
}
