import { expect } from 'vitest'
import { withdrawalListQuery } from '../../domain/earn/withdrawals/withdrawalListQuery.ts'
import { matchesFilter } from '../../domain/filter/matchesFilter.ts'
import { parseFilter } from '../../domain/filter/parseFilter.ts'
import type { TestApi } from './api.ts'
import { getJson } from './getJson.ts'
import type { PageFetcher } from './pageLaws.ts'
import {
  addressOf,
  insertWithdrawOrders,
  outcomeOf,
  START,
  statusOf,
  type WithdrawOrderRow,
  withdrawOrder,
} from './withdrawOrders.ts'

export type Listed = Record<string, unknown> & { id: string }
type Body = { withdrawalRequests: Listed[]; nextPageToken: string | null }

export const STATUSES = ['PENDING', 'COMPLETE', 'PENDING_REFUND', 'REFUNDED'] as const
export const USERS = ['alice', 'bob', 'carol'].map(addressOf)
export const QUEUES = [
  { chain_id: 1, vault: 'both' },
  { chain_id: 4663, vault: 'both' },
  { chain_id: 1, vault: 'one' },
  { chain_id: 4663, vault: 'other' },
].map(({ chain_id, vault }) => ({
  chain_id,
  vault: addressOf(vault),
  queue: addressOf(`queue of ${vault}`),
}))

/** The requests of a test's index, and the API's lists of them. */
export function listedWithdrawals(api: () => TestApi) {
  const rows: WithdrawOrderRow[] = []
  const nextIndex = new Map<string, number>()

  /** Inserts the next requests of their queues. */
  async function add(count: number, make: (index: number) => Partial<WithdrawOrderRow>) {
    const made = Array.from({ length: count }, (_, index) => {
      const row = withdrawOrder(make(index))
      const queue = `${row.chain_id}:${row.queue}`
      const order_index = (nextIndex.get(queue) ?? 0) + 1
      nextIndex.set(queue, order_index)
      return { ...row, order_index }
    })
    rows.push(...made)
    await insertWithdrawOrders(api().context.sql, made)
    return made
  }

  /** Requests of every user, queue and status, several in one second, in the same and in different queues. */
  function addMixed() {
    return add(48, (index) => ({
      block_timestamp: START + Math.floor(index / 5),
      ...pick(QUEUES, index * 7),
      user_address: pick(USERS, index * 5 + (index >> 2)),
      offer_amount: `1${String(index).padStart(24, '0')}`,
      ...outcomeOf(pick(STATUSES, index + (index >> 3)), START + 1_000 + index),
    }))
  }

  function get(filter?: string, page: Record<string, string> = {}) {
    const query = new URLSearchParams({ ...page, ...(filter ? { filter } : {}) })
    return getJson<Body>(`${api().url}/v2/earn/withdrawalRequests?${query}`)
  }

  return {
    rows,
    add,
    addMixed,
    get,
    /** One at each end of the list, and two at times that others share. */
    addAround(changes: Partial<WithdrawOrderRow>) {
      const times = rows.map(({ block_timestamp }) => block_timestamp)
      const around = [Math.min(...times) - 1, Math.max(...times) + 1, START + 3, START + 8]
      return add(around.length, (index) => ({ block_timestamp: pick(around, index), ...changes }))
    },
    /** The keys of the matching requests, newest first, by (createdAt, chainId, queue, orderIndex). */
    matching(text = ''): string[] {
      const filter = parseFilter(text, withdrawalListQuery.keys)
      return rows
        .filter(({ is_submitted }) => is_submitted)
        .filter(
          (row) =>
            filter === null ||
            matchesFilter(filter, {
              userAddress: row.user_address,
              receiverAddress: row.receiver,
              txHash: row.transaction_hash,
              vaultAddress: row.vault,
              status: statusOf(row),
              chainId: row.chain_id,
              orderIndex: String(row.order_index),
            }),
        )
        .sort(newestFirst)
        .map(keyOf)
    },
    list(filter?: string): PageFetcher {
      return async ({ pageSize, pageToken }) => {
        const { status, reason, body } = await get(filter, {
          pageSize: String(pageSize),
          ...(pageToken === undefined ? {} : { pageToken }),
        })
        const keys = (body.withdrawalRequests ?? []).map(({ id }) => id.toLowerCase())
        return { status, reason, keys, nextPageToken: body.nextPageToken ?? null }
      }
    },
    /** All pages. */
    async walk(filter: string, pageSize = 100): Promise<Listed[]> {
      const listed: Listed[] = []
      let pageToken: string | null = null
      do {
        const { status, body } = await get(filter, {
          pageSize: String(pageSize),
          ...(pageToken ? { pageToken } : {}),
        })
        expect([filter, status]).toEqual([filter, 200])
        listed.push(...body.withdrawalRequests)
        pageToken = body.nextPageToken
      } while (pageToken)
      return listed
    },
  }
}

export function keyOf({ chain_id, queue, order_index }: WithdrawOrderRow): string {
  return `${chain_id}:${queue}:${order_index}`
}

export function pick<Item>(items: readonly Item[], index: number): Item {
  return items[index % items.length] as Item
}

function newestFirst(a: WithdrawOrderRow, b: WithdrawOrderRow): number {
  const byQueue = a.queue === b.queue ? 0 : a.queue < b.queue ? 1 : -1
  return (
    b.block_timestamp - a.block_timestamp ||
    b.chain_id - a.chain_id ||
    byQueue ||
    b.order_index - a.order_index
  )
}
