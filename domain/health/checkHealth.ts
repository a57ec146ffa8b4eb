import { indexedChains } from '../addressBook/indexedChains.ts'
import type { Pulse } from '../chain/chainPulse.ts'
import type { SharedServices } from '../context.ts'
import { within } from '../loop/within.ts'
import { describeChain } from './describeChain.ts'
import { type KeeperState, listKeeperStates } from './keeperStates.ts'
import { type Pulses, readChainParts, readPulses } from './readChainParts.ts'

/** `slow`: the nodes of a chain answer late, or have not answered for a few seconds. */
export type HealthCheck = { status: 'up' | 'slow' | 'down' } & Record<string, unknown>
export type Health = { isHealthy: boolean; checks: Record<string, HealthCheck> }

const DATABASE_TIMEOUT_MS = 2_000

/**
 * Checks the database, each chain's index, its keeper and its nodes. Unhealthy if the database is down, or
 * if no indexed chain is within `maxLagSeconds`. A single bad chain is only listed.
 */
export async function checkHealth(
  context: Pick<SharedServices, 'sql' | 'chains' | 'addressBook'>,
  { maxLagSeconds }: { maxLagSeconds: number },
): Promise<Health> {
  const chainIds = indexedChains(context.addressBook).map(({ id }) => id)
  const [database, pulses] = await Promise.all([checkDatabase(context), readPulses(context)])
  const isUp = database.status === 'up'
  // The report lists a failed check as down.
  const [indexer, keeper] = await Promise.all([
    isUp ? checkIndex(context, pulses, maxLagSeconds).catch(() => UNREADABLE) : UNREADABLE,
    checkKeepers(context, { isUp, maxLagSeconds }),
  ])
  const isAnyCurrent = Object.values(indexer.chains).some(({ isLevel }) => isLevel)
  return {
    isHealthy: isUp && (chainIds.length === 0 || isAnyCurrent),
    checks: { database, indexer, ...(keeper ? { keeper } : {}), ...checkNodes(pulses) },
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

/** Null if no chain has smart deposits. */
async function checkKeepers(
  context: Pick<SharedServices, 'sql' | 'addressBook'>,
  { isUp, maxLagSeconds }: { isUp: boolean; maxLagSeconds: number },
): Promise<HealthCheck | null> {
  if (context.addressBook.chains.every(({ smartDeposit }) => !smartDeposit)) return null
  const states = isUp ? await listKeeperStates(context).catch(() => null) : null
  if (states === null) return UNREADABLE
  const isLevel = states.every(({ lagSeconds }) => (lagSeconds ?? Infinity) <= maxLagSeconds)
  const chains = Object.fromEntries(states.map((state) => [state.chainId, describeKeeper(state)]))
  return { status: isLevel ? 'up' : 'down', chains }
}

function describeKeeper({ chainId, lagSeconds, failing, ...counts }: KeeperState) {
  const messages = [
    ...(lagSeconds === null ? ['no worker has kept it yet'] : []),
    ...(failing.length > 0 ? [`failed in its last pass: ${failing.join(', ')}`] : []),
  ]
  const message = messages.length > 0 ? { message: messages.join('; ') } : {}
  return { ...message, lagSeconds: lagSeconds === null ? null : Math.round(lagSeconds), ...counts }
}

async function checkDatabase({ sql }: Pick<SharedServices, 'sql'>): Promise<HealthCheck> {
  const answer = sql`select 1`.then(() => true)
  const isUp = await within(DATABASE_TIMEOUT_MS, answer).catch(() => false)
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
