import { indexedChains } from '../addressBook/indexedChains.ts'
import type { Pulse } from '../chain/chainPulse.ts'
import type { SharedServices } from '../context.ts'
import { describeChain } from './describeChain.ts'
import { type Pulses, readChainParts, readPulses } from './readChainParts.ts'

/** `slow`: the nodes of a chain answer late, or have not answered for a few seconds. */
export type HealthCheck = { status: 'up' | 'slow' | 'down' } & Record<string, unknown>
export type Health = { isHealthy: boolean; checks: Record<string, HealthCheck> }

const DATABASE_TIMEOUT_MS = 2_000

/**
 * Checks the database, each chain's index and each chain's nodes. Unhealthy if the database is down, or
 * if no indexed chain is within `maxLagSeconds`. A single bad chain is only listed.
 */
export async function checkHealth(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
  { maxLagSeconds }: { maxLagSeconds: number },
): Promise<Health> {
  const chainIds = indexedChains(context.addressBook).map(({ id }) => id)
  const [database, pulses] = await Promise.all([checkDatabase(context), readPulses(context)])
  // The report lists a failed check as down.
  const indexer =
    database.status === 'up'
      ? await checkIndex(context, pulses, maxLagSeconds).catch(() => UNREADABLE)
      : UNREADABLE
  const isAnyCurrent = Object.values(indexer.chains).some(({ isLevel }) => isLevel)
  return {
    isHealthy: database.status === 'up' && (chainIds.length === 0 || isAnyCurrent),
    checks: { database, indexer, ...checkNodes(pulses) },
  }
}

type IndexCheck = HealthCheck & { chains: Record<string, ReturnType<typeof describeChain>> }

const UNREADABLE: IndexCheck = { status: 'down', message: 'its state cannot be read', chains: {} }

async function checkIndex(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
  pulses: Pulses,
  maxLagSeconds: number,
): Promise<IndexCheck> {
  const parts = await readChainParts(context, pulses)
  const chains = Object.fromEntries(
    [...parts].map(([chainId, ofChain]) => [chainId, describeChain({ ...ofChain, maxLagSeconds })]),
  )
  const isUp = Object.values(chains).every(({ isLevel }) => isLevel)
  return { status: isUp ? 'up' : 'down', chains }
}

async function checkDatabase({ sql }: Pick<SharedServices, 'sql'>): Promise<HealthCheck> {
  const answer = sql`select 1`.then(() => true)
  const limit = new Promise<boolean>((resolve) =>
    setTimeout(resolve, DATABASE_TIMEOUT_MS, false).unref(),
  )
  const isUp = await Promise.race([answer, limit]).catch(() => false)
  return isUp ? { status: 'up' } : { status: 'down', message: 'the database does not answer' }
}

function checkNodes(pulses: Pulses): Record<string, HealthCheck> {
  return Object.fromEntries(
    [...pulses].map(([chainId, pulse]) => [`rpc:${chainId}`, describePulse(chainId, pulse)]),
  )
}

function describePulse(chainId: number, pulse: Pulse): HealthCheck {
  switch (pulse.status) {
    case 'up':
      return { ...pulse, head: Number(pulse.head) }
    case 'slow':
      return { ...pulse, message: `the nodes of chain ${chainId} answer late` }
    case 'down':
      return { ...pulse, message: `no node of chain ${chainId} answers` }
  }
}
