import type { Sql } from 'postgres'
import type { Address } from 'viem'
import type { SharedServices } from '../../domain/context.ts'
import { createHeadReader } from '../../domain/index/indexHeads.ts'
import { createIndexReads } from '../../domain/index/indexReads.ts'
import { createReadOrder, type ReadOrder } from '../../domain/transit/orders/readOrders.ts'
import { testAddressBook } from './addressBook.ts'

const TOKEN = { name: '', symbol: '', decimals: 18, tokenStandard: 'ERC20' as const }
const tokens = {
  listed: () => undefined,
  known: () => undefined,
  get: async (chainId: number, address: Address) => ({ ...TOKEN, chainId, address }),
}

/** Reads orders as an api does that has read nothing yet, of tokens with 18 decimals. */
export function createOrderReader(
  sql: Sql,
  addressBook: Pick<SharedServices['addressBook'], 'chains'> = testAddressBook,
): ReadOrder {
  const indexReads = createIndexReads(createHeadReader(sql), { kilobytes: 1_000 })
  const pools = { sql, keySql: sql, adHocSql: sql }
  return createReadOrder({ readIndex: (select) => select(pools), tokens, addressBook }, indexReads)
}
