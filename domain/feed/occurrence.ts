import type { ISql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { EventFacts } from '../webhook/eventFilter.ts'
import type { EventType } from '../webhook/eventTypes.ts'

/** The place of a log in its chain, with its current block. */
export type Place = {
  chainId: number
  blockNumber: bigint
  blockHash: Hex
  transactionHash: Hex
  logIndex: number
}

/** A log of a chain that becomes events: one per type and subscribed organization. */
export type Occurrence = Place & {
  /** `transit_order:<id>`, `withdrawal_request:<id>` or `vault:<id>`. */
  resource: string
  /** Usually one; an execution that leaves nothing owed is two. */
  types: EventType[]
  facts: EventFacts
  /** Fields of the events' bodies, besides the place. */
  fields: Record<string, unknown>
  /** The submission on the source chain whose event must come first; null if there is none. */
  after: Place | null
}

/** The columns of a `Place`, of a table under this alias. */
export const placeColumns = (sql: ISql, alias: string) => {
  const of = sql(alias)
  return sql`${of}.chain_id as "chainId", ${of}.block_number as "blockNumber",
    ${of}.block_hash as "blockHash", ${of}.transaction_hash as "transactionHash",
    ${of}.log_index as "logIndex"`
}

/** The rows of a fact table on a chain above its cursor (`c`), as `f`. It ends in a condition. */
export const factsAbove = (
  sql: ISql,
  table: string,
  chainId: number,
  block = 'block_number',
) => sql`
  from app.feed_cursor c cross join lateral (
    select * from read.${sql(table)} f
    where f.chain_id = c.chain_id and f.${sql(block)} > c.block_number offset 0
  ) f
  where c.chain_id = ${chainId}`

/** Only the place of a row. */
export function placeOf({
  chainId,
  blockNumber,
  blockHash,
  transactionHash,
  logIndex,
}: Place): Place {
  return { chainId, blockNumber, blockHash, transactionHash, logIndex }
}

/** The order of logs of one chain. */
export function byPlace(one: Place, other: Place): number {
  return Number(one.blockNumber - other.blockNumber) || one.logIndex - other.logIndex
}

/** The key of one log in one block. */
export function placeKey({ chainId, blockHash, transactionHash, logIndex }: Place): string {
  return `${chainId}:${blockHash}:${transactionHash}:${logIndex}`
}

/** The place as fields of an event's body. */
export function placeFields({ chainId, transactionHash, blockHash, logIndex }: Place) {
  return {
    chain_id: String(chainId),
    transaction_hash: transactionHash,
    block_hash: blockHash,
    log_index: logIndex,
  }
}

/** Each address once, without the zero address. */
export function parties(...addresses: Address[]): Address[] {
  return [...new Set(addresses)].filter((address) => !/^0x0{40}$/.test(address))
}
