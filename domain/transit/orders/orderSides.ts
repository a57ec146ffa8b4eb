import type { Fragment, Sql } from 'postgres'
import type { Hex } from 'viem'
import { SERVED_HEADS } from '../../../db/readViews/chainViews.ts'
import type { transitDestination, transitSource } from '../../../src/tables/transit.ts'
import type { IndexProgress } from '../../index/indexProgress.ts'

/** A row of a table as the JSON of `read.transit_side`. numeric is decimal text there, int8 a number. */
type Facts<Table extends { $inferSelect: object }> = {
  [Column in keyof Table['$inferSelect']]: Json<Table['$inferSelect'][Column]>
}
type Json<Value> = Value extends bigint ? string | number : Value

export type SourceFacts = Facts<typeof transitSource>
export type DestinationFacts = Facts<typeof transitDestination>

/** What the served builds hold of an order. More than one of a kind only where chains contradict each other. */
export type OrderSides = { sources: SourceFacts[]; destinations: DestinationFacts[] }

/** A row of `sidesOf`. */
export type SideRow =
  | { is_source: true; facts: SourceFacts }
  | { is_source: false; facts: DestinationFacts }

/** The builds that are served, as an array. */
export const SERVED = `array(select id from app.index_build where state = 'served')`

/** Whether a side is of a served build. */
export function isServed(sql: Sql): Fragment {
  return sql`build = any(${sql.unsafe(SERVED)})`
}

/** The ids of all orders with a log in this transaction, on either of their chains. */
export function ordersOfTransaction(sql: Sql, hash: string): Fragment {
  return sql`
    select distinct order_id from read.transit_side
    where transactions @> array[${bytes(sql, hash)}] and ${isServed(sql)}`
}

/** The ids of the orders of a message, which both of its chains know. */
export function ordersOfMessage(sql: Sql, guid: string): Fragment {
  return sql`
    select distinct order_id from read.transit_side
    where facts->>'messageGuid' = ${guid} and ${isServed(sql)}`
}

/** The bytes of a hash or an address. */
export function bytes(sql: Sql, hex: string): Fragment {
  return sql`decode(substr(${hex}::text, 3), 'hex')`
}

/** The heads of all served chains, as one JSON value. */
export const HEADS = `(select coalesce(json_agg(h), '[]') from (${SERVED_HEADS}) h)`

/**
 * The rows of both sides of orders, from a select of their ids (bytea). `offset 0` hands each id to the primary key. It is the
 * one text by which orders are read: by id, in lists, by the watch and for webhooks.
 */
export function sidesOf(ids: string): string {
  return `
    select s.is_source, s.facts from (${ids}) wanted (order_id) cross join lateral (
      select t.is_source, t.facts from read.transit_side t
      where t.order_id = wanted.order_id and t.build = any(${SERVED}) offset 0
    ) s`
}

/** The bytes of the ids of a parameter that is text[]. */
const idsOf = (parameter: string) =>
  `select decode(substr(id, 3), 'hex') from unnest(${parameter}::text[]) asked (id)`

/** The statement that reads orders by id, with the heads of all chains in its first row. The parameter is the list of ids. */
export const ORDERS_BY_ID = `
  select null::boolean as is_source, ${HEADS} as facts
  union all ${sidesOf(idsOf('$1'))}`

export type HeadsRow = { is_source: null; facts: IndexProgress[] }

/** The sides of each order, by its id. */
export function groupSides(rows: SideRow[]): Map<Hex, OrderSides> {
  const orders = new Map<Hex, OrderSides>()
  for (const { is_source, facts } of rows) {
    const order = orders.get(facts.orderId) ?? { sources: [], destinations: [] }
    if (is_source) order.sources.push(facts)
    else order.destinations.push(facts)
    orders.set(facts.orderId, order)
  }
  return orders
}
