import type { ISql } from 'postgres'
import type { Address, Hex } from 'viem'
import type { EventFacts } from '../webhook/eventFilter.ts'
import type { EventType } from '../webhook/eventTypes.ts'

/** Where a chain says something: a log, in the block it is in now. */
export type Place = {
  chainId: number
  blockNumber: bigint
  blockHash: Hex
  transactionHash: Hex
  logIndex: number
}

/** What organizations are told of because of one log of a chain. */
export type Occurrence = Place & {
  /** `transit_order:<id>` or `withdrawal_request:<id>`. */
  resource: string
  /** Usually one; an execution that leaves nothing owed is two. */
  types: EventType[]
  facts: EventFacts
  /** Of the events' bodies, beside the place. */
  fields: Record<string, unknown>
  /** Of what another chain must have said before; null where nothing must. */
  after: Pick<Place, 'chainId' | 'blockNumber'> | null
}

/** The columns of a `Place`, of a table under this alias. */
export const placeColumns = (sql: ISql, alias: string) => {
  const of = sql(alias)
  return sql`${of}.chain_id as "chainId", ${of}.block_number as "blockNumber",
    ${of}.block_hash as "blockHash", ${of}.transaction_hash as "transactionHash",
    ${of}.log_index as "logIndex"`
}

/** Only that of what has a place. */
export function placeOf({
  chainId,
  blockNumber,
  blockHash,
  transactionHash,
  logIndex,
}: Place): Place {
  return { chainId, blockNumber, blockHash, transactionHash, logIndex }
}

/** Tells one log in one block from all others. */
export function placeKey({ chainId, blockHash, transactionHash, logIndex }: Place): string {
  return `${chainId}:${blockHash}:${transactionHash}:${logIndex}`
}

/** The fields that say where it was. */
export function placeFields({ chainId, transactionHash, blockHash, logIndex }: Place) {
  return {
    chain_id: String(chainId),
    transaction_hash: transactionHash,
    block_hash: blockHash,
    log_index: logIndex,
  }
}

/** Lower case, without those that stand for nobody. */
export function parties(...addresses: Address[]): Address[] {
  return [...new Set(addresses)].filter((address) => !/^0x0{40}$/.test(address))
}
