import type { TransactionSql } from 'postgres'
import { type Address, maxUint256 } from 'viem'
import type { AddressBook, AddressBookDeployment } from '../addressBook/addressBook.ts'
import { findBookDeployment } from '../addressBook/findBookDeployment.ts'
import { versionAt } from '../addressBook/versionAt.ts'
import { checksummed } from '../token/checksummed.ts'
import type { EventType } from '../webhook/eventTypes.ts'
import type { FedChain } from './feedProgress.ts'
import {
  byPlace,
  factsAbove,
  type Occurrence,
  type Place,
  placeColumns,
  placeFields,
  placeOf,
} from './occurrence.ts'

/**
 * A window of the updates of a vault's rate, in the time of its chain. The first update in it is an event at once, the last
 * one when the window is over: a burst of updates makes two events.
 */
export const RATE_WINDOW_SECONDS = 300

type Row = Place & { vault: Address; contract: Address }
type PauseRow = Row & { isPaused: boolean }
type CapRow = Row & { cap: string }
type RateRow = Row & {
  oldRate: string
  newRate: string
  isFirst: boolean
  /** The time at which its window ends, Unix seconds. */
  windowEnd: bigint
}

type Book = Pick<AddressBook, 'vaults'>
type Versions = AddressBookDeployment['tellers' | 'accountants' | 'depositors']

/**
 * The events of the vaults of a chain above its cursor: of contracts that were in use. `waiting` lists updates of a rate
 * that are the last of their window so far.
 */
export async function vaultOccurrences(
  sql: TransactionSql,
  book: Book,
  { chainId, headTime }: FedChain,
): Promise<{ occurrences: Occurrence[]; waiting: Place[] }> {
  const pauses = await selectPauses(sql, chainId)
  const caps = await selectCaps(sql, chainId)
  const rates = await selectRates(sql, chainId)
  const isDue = ({ isFirst, windowEnd }: RateRow) => isFirst || windowEnd <= headTime
  const occurrences = [
    ...pauses.flatMap((row) => pauseOccurrence(row, findBookDeployment(book, row))),
    ...caps.flatMap((row) => capOccurrence(row, findBookDeployment(book, row))),
    ...rates.filter(isDue).map(rateOccurrence),
  ]
  return {
    occurrences: occurrences.toSorted(byPlace),
    waiting: rates.filter((row) => !isDue(row)).map(placeOf),
  }
}

/** The version of a vault's contract that emitted a row, if it was in use then. */
function inUse<Entry extends Versions[number]>(versions: Entry[], row: Row): Entry | null {
  const version = versionAt(versions, Number(row.blockNumber))
  return version?.address === row.contract ? version : null
}

function pauseOccurrence(row: PauseRow, deployment?: AddressBookDeployment): Occurrence[] {
  if (!deployment) return []
  const isTeller = inUse(deployment.tellers, row) !== null
  if (!isTeller && !inUse(deployment.accountants, row)) return []
  return [
    occurrence(row, row.isPaused ? 'vault.paused' : 'vault.unpaused', {
      contract: isTeller ? 'teller' : 'accountant',
      contract_address: checksummed(row.contract),
    }),
  ]
}

function capOccurrence(row: CapRow, deployment?: AddressBookDeployment): Occurrence[] {
  const depositor = deployment && inUse(deployment.depositors, row)
  if (!depositor) return []
  return [
    occurrence(row, 'vault.cap_changed', {
      depositor_address: checksummed(row.contract),
      supply_cap: row.cap === String(maxUint256) ? null : row.cap,
      cap_in: depositor.capIn ?? 'value',
    }),
  ]
}

function rateOccurrence(row: RateRow): Occurrence {
  return occurrence(row, 'vault.rate_updated', {
    accountant_address: checksummed(row.contract),
    exchange_rate: row.newRate,
    previous_exchange_rate: row.oldRate,
  })
}

function occurrence(row: Row, type: EventType, fields: Occurrence['fields']): Occurrence {
  const { chainId, vault } = row
  const id = `${chainId}:${checksummed(vault)}`
  return {
    ...placeOf(row),
    resource: `vault:${id}`,
    types: [type],
    facts: { distributorCode: null, userAddresses: [], vaultAddress: vault },
    fields: {
      vault_id: id,
      vault_address: checksummed(vault),
      ...fields,
      ...placeFields(row),
    },
    after: null,
  }
}

function selectPauses(sql: TransactionSql, chainId: number): Promise<PauseRow[]> {
  return sql<PauseRow[]>`
    select ${placeColumns(sql, 'f')}, f.vault, f.contract, f.is_paused as "isPaused"
    ${factsAbove(sql, 'vault_pause', chainId)}`
}

function selectCaps(sql: TransactionSql, chainId: number): Promise<CapRow[]> {
  return sql<CapRow[]>`
    select ${placeColumns(sql, 'f')}, f.vault, f.depositor as contract, f.cap
    ${factsAbove(sql, 'supply_cap', chainId)}`
}

/** Only the first and the last update of each window; a window may begin below the cursor. */
function selectRates(sql: TransactionSql, chainId: number): Promise<RateRow[]> {
  const windowStart = sql`f.block_timestamp / ${RATE_WINDOW_SECONDS}::bigint * ${RATE_WINDOW_SECONDS}::bigint`
  const other = sql`
    select 1 from read.exchange_rate o
    where o.chain_id = f.chain_id and o.vault = f.vault and o.is_in_use`
  return sql<RateRow[]>`
    select * from (
      select ${placeColumns(sql, 'f')}, f.vault, f.accountant as contract,
        f.old_rate as "oldRate", f.new_rate as "newRate",
        ${windowStart} + ${RATE_WINDOW_SECONDS}::bigint as "windowEnd",
        not exists (
          ${other} and o.block_timestamp between ${windowStart} and f.block_timestamp
            and (o.block_number, o.log_index) < (f.block_number, f.log_index)
        ) as "isFirst",
        not exists (
          ${other} and o.block_timestamp >= f.block_timestamp
            and o.block_timestamp < ${windowStart} + ${RATE_WINDOW_SECONDS}::bigint
            and (o.block_number, o.log_index) > (f.block_number, f.log_index)
        ) as "isLast"
      ${factsAbove(sql, 'exchange_rate', chainId)} and f.is_in_use
    ) rates where "isFirst" or "isLast"`
}
