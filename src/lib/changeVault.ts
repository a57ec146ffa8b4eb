import { vaultHour, vaultState } from 'ponder:schema'
import type { Address } from 'viem'
import { HOUR_SECONDS, periodEnd } from './periodEnd.ts'
import type { Context } from './ponder.ts'

type State = typeof vaultState.$inferSelect
type Changes = Partial<Omit<State, 'chainId' | 'vault' | 'firstBlock' | 'firstTimestamp'>>

type ChangingEvent = { block: { number: bigint; timestamp: bigint } }

/** Changes a vault's state, and records it for the hour. */
export async function changeVault(
  { event, context }: { event: ChangingEvent; context: Context },
  vault: Address,
  change: (state: State) => Changes,
) {
  const key = { chainId: context.chain.id, vault }
  const state = (await context.db.find(vaultState, key)) ?? newborn(event, key)
  const next = { ...state, ...change(state) }
  await context.db.insert(vaultState).values(next).onConflictDoUpdate(next)
  const { supply, holders, supplyBlock, rate, rateBlock } = next
  const atHour = { supply, holders, supplyBlock, rate, rateBlock }
  await context.db
    .insert(vaultHour)
    .values({ ...key, hour: periodEnd(event.block.timestamp, HOUR_SECONDS), ...atHour })
    .onConflictDoUpdate(atHour)
}

/** Records the vault from its first event on, also if the event changes nothing. */
export async function beginVault(
  { event, context }: { event: ChangingEvent; context: Context },
  vault: Address,
) {
  if (await context.db.find(vaultState, { chainId: context.chain.id, vault })) return
  await changeVault({ event, context }, vault, () => ({}))
}

function newborn({ block }: ChangingEvent, key: { chainId: number; vault: Address }): State {
  return {
    ...key,
    firstBlock: block.number,
    firstTimestamp: block.timestamp,
    supply: 0n,
    holders: 0,
    supplyBlock: null,
    openingRate: null,
    rate: null,
    rateBlock: null,
  }
}
