import type { Answer } from './answerLog.ts'

/** The newest state that clients have seen, to notice an older answer. */
export type Memory = {
  /** Throws if an answer is older than one that had arrived before its request was sent. */
  check(answer: Answer): void
}

type State = { age: number[]; knownAt: number }
type ListedOrder = Record<string, unknown>

/** For chains that only grow: there an order's state never goes back, and no list loses an order. */
export function createMemory(): Memory {
  const orders = new Map<string, State[]>()
  const lists = new Map<string, { ids: Set<string>; knownAt: number }[]>()

  /** The newest state that an answer had shown by then. */
  function knownBefore(id: string, time: number): number[] | undefined {
    return orders.get(id)?.findLast(({ knownAt }) => knownAt <= time)?.age
  }

  function learn(order: ListedOrder, { askedAt, answeredAt, path }: Answer) {
    const id = String(order.id)
    const age = ageOf(order)
    const known = knownBefore(id, askedAt)
    if (known && isOlder(age, known))
      throw new Error(`${path} shows an older state of ${id}: ${age} after ${known}`)
    const states = orders.get(id) ?? []
    const last = states.at(-1)
    if (!last || isOlder(last.age, age)) states.push({ age, knownAt: answeredAt })
    orders.set(id, states)
  }

  return {
    check(answer) {
      const { path, status, body, askedAt, answeredAt } = answer
      const id = path.split('/').at(-1) ?? ''
      const reason = reasonOf(body) ?? ''
      if (status === 503 && !STATELESS.includes(reason) && knownBefore(id, askedAt))
        throw new Error(`${path} is ${reason} again`)
      if (status === 503 || status === 0) return
      if (status === 404 && knownBefore(id, askedAt)) throw new Error(`${path} is a 404 again`)
      if (status !== 200 && status !== 404) throw new Error(`${path} was answered ${status}`)
      if (status === 404) return
      const listed = body.orders as ListedOrder[] | undefined
      if (!listed) return learn(body.order as ListedOrder, answer)
      for (const order of listed) learn(order, answer)
      const ids = new Set(listed.map((order) => String(order.id)))
      const before = (lists.get(path) ?? []).filter(({ knownAt }) => knownAt <= askedAt).at(-1)
      // A full page has the newest hundred; older ones leave it.
      const lost = ids.size < 100 ? [...(before?.ids ?? [])].filter((known) => !ids.has(known)) : []
      if (lost.length > 0) throw new Error(`${path} lacks ${lost}`)
      lists.set(path, [...(lists.get(path) ?? []).slice(-20), { ids, knownAt: answeredAt }])
    },
  }
}

/** Refusals that say nothing of an order: the second is that of a busy machine. */
const STATELESS = ['INDEX_CATCHING_UP', 'OVERLOADED']

function reasonOf({ error }: ListedOrder): string | undefined {
  return (error as { details?: { reason: string }[] } | undefined)?.details?.[0]?.reason
}

/** Grows with every change of an order, including finality. */
function ageOf(order: ListedOrder): number[] {
  const { status, orderExecuteds, orderForceRemoveds, updatedAt, finalized } = order
  return [
    Date.parse(String(updatedAt)),
    (orderExecuteds as unknown[]).length,
    (orderForceRemoveds as unknown[]).length,
    ['PENDING_BRIDGE', 'PROCESSING', 'PROCESSED', 'REMOVED'].indexOf(String(status)),
    Number(finalized),
  ]
}

function isOlder(age: number[], than: number[]): boolean {
  const first = age.findIndex((part, index) => part !== than[index])
  return first >= 0 && (age[first] ?? 0) < (than[first] ?? 0)
}
