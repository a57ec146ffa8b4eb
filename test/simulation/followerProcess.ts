import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Hex } from 'viem'

/** A program that follows orders with the SDK, for a test that drives it over IPC. Its clock is an hour ahead. */

export type FollowerOrder =
  | { do: 'follow'; follower: string; orderId: Hex }
  | { do: 'abort'; follower: string }
  /** All followers have ended or are aborted: report the resources, and let the program end. */
  | { do: 'end' }
export type FollowerReport =
  | { of: 'step'; follower: string; step: string }
  | { of: 'over'; follower: string; error: string | null }
  | { of: 'resources'; before: string[]; after: string[]; listeners: number; clock: number }

const HOUR_MS = 3_600_000
const RealDate = Date
globalThis.Date = class extends RealDate {
  constructor(value: number | string | Date = RealDate.now() + HOUR_MS) {
    super(value)
  }
  static override now = () => RealDate.now() + HOUR_MS
} as DateConstructor

const { createCausewayClient } = await import('../../sdk/src/createCausewayClient.ts')

const { transit } = createCausewayClient({ url: process.argv[2] ?? '' })
const followers = new Map<string, AbortController>()
/** Ends every follower, as an app's own signal does. None may leave a listener on it. */
const app = new AbortController()
/** Without the channel to the test, which is closed at the end. */
const resources = () =>
  process
    .getActiveResourcesInfo()
    .filter((name) => name !== 'PipeWrap')
    .toSorted()
const before = resources()
const report = (message: FollowerReport) => process.send?.(message)

process.on('message', (order: FollowerOrder) => {
  if (order.do === 'follow') void follow(order.follower, order.orderId)
  if (order.do === 'abort') followers.get(order.follower)?.abort(new Error('enough'))
  if (order.do === 'end') void end()
})

async function follow(follower: string, orderId: Hex) {
  const own = new AbortController()
  followers.set(follower, own)
  const signal = AbortSignal.any([own.signal, app.signal])
  try {
    for await (const step of transit.follow(orderId, { signal })) {
      const remaining = 'remaining' in step ? step.remaining : ''
      const facts = 'txHash' in step ? [step.txHash, remaining] : []
      report({ of: 'step', follower, step: [step.step, ...facts].join(' ') })
    }
    report({ of: 'over', follower, error: null })
  } catch (error) {
    report({ of: 'over', follower, error: String(error) })
  }
}

async function end() {
  // Idle connections of `fetch` do not keep a program alive, but need a moment to become idle.
  for (let tries = 0; tries < 100 && String(resources()) !== String(before); tries++)
    await sleep(20, undefined, { ref: false })
  const listeners = getEventListeners(app.signal, 'abort').length
  report({ of: 'resources', before, after: resources(), listeners, clock: Date.now() })
  process.disconnect()
}
