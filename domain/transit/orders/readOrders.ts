import type { ISql } from 'postgres'
import type { Hex } from 'viem'
import type { AddressBook } from '../../addressBook/addressBook.ts'
import { gather } from '../../cache/gather.ts'
import type { SharedServices } from '../../context.ts'
import type { IndexProgress } from '../../index/indexProgress.ts'
import type { IndexReads } from '../../index/indexReads.ts'
import { transitChains } from '../transitChains.ts'
import {
  groupSides,
  type HeadsRow,
  ORDERS_BY_ID,
  type OrderSides,
  type SideRow,
} from './orderSides.ts'
import { isTimelineSameAt } from './orderTimeline.ts'
import { toOrder } from './toTransitOrder.ts'
import type { TransitOrder } from './transitOrder.ts'

/** The sides of orders, with the heads of all chains at the same moment. */
export type ReadSides = { heads: IndexProgress[]; orders: Map<Hex, OrderSides> }

/** Reads the sides of these orders in one statement. */
export async function selectSides(sql: ISql, ids: Hex[]): Promise<ReadSides> {
  const rows = await sql.unsafe<(HeadsRow | SideRow)[]>(ORDERS_BY_ID, [ids], { prepare: true })
  return splitHeads(rows)
}

/** The sides of rows whose first has the heads. */
export function splitHeads([first, ...sides]: (HeadsRow | SideRow)[]): ReadSides {
  if (first?.is_source !== null) throw new Error('Invariant(splitHeads): the first row has heads')
  return { heads: first.facts, orders: groupSides(sides.filter(isSide)) }
}

function isSide(row: HeadsRow | SideRow): row is SideRow {
  return row.is_source !== null
}

/** Reads an order by its id. `progress` has all chains. While nothing about the order has changed, it is the same object. */
export type ReadOrder = (
  id: Hex,
) => Promise<{ progress: IndexProgress[]; order: TransitOrder | undefined }>

type OrderServices = Pick<SharedServices, 'readIndex' | 'tokens'> & {
  addressBook: Pick<AddressBook, 'chains'>
}

/** An order takes some 5.5 KB, with its answer. */
const ORDER_KILOBYTES = 6

/** Orders that are asked for while a statement runs share the next one. */
export function createReadOrder(context: OrderServices, indexReads: IndexReads): ReadOrder {
  const chainIds = transitChains(context.addressBook).map(({ chainId }) => chainId)
  const readSides = gather((ids: Hex[]) =>
    context.readIndex(async ({ keySql }) => ({ ...(await selectSides(keySql, ids)), chainIds })),
  )
  return async (id) => {
    const { progress, value } = await indexReads.read<TransitOrder | undefined>(`order ${id}`, {
      select: async () => {
        const { heads, orders } = await readSides(id)
        const order = await toOrder(context, orders.get(id), heads)
        const chainIds = order ? [order.sourceChainId, order.destinationChainId] : null
        return { heads, chainIds, value: order }
      },
      isSameAt: (order, progress) => !!order && isTimelineSameAt(order.timeline, progress),
      kilobytes: () => ORDER_KILOBYTES,
    })
    return { progress, order: value }
  }
}
