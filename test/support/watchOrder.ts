import { createClient } from 'graphql-sse'
import type { Hex } from 'viem'
import { getJson } from './getJson.ts'

/** Polls as clients do, from now on until `stop`; `seen` has every status, once per stay. */
export function pollStatuses(url: string, id: Hex) {
  const seen: string[] = []
  let isOver = false
  const done = (async () => {
    while (!isOver) {
      const { body } = await getJson(`${url}/v1/transit/orders/${id}`)
      const status = body.order?.status
      if (status && status !== seen.at(-1)) seen.push(status)
    }
  })()
  return {
    seen,
    stop() {
      isOver = true
      return done
    },
  }
}

type State = { transitOrder: { status: string; remainingAmountDue: string } }

/** Every state that the subscription sends. */
export function streamStates(url: string, id: Hex) {
  const states: [status: string, remaining: string][] = []
  const failures: unknown[] = []
  const client = createClient({ url: `${url}/graphql/stream`, retryAttempts: 0 })
  const query = `subscription { transitOrder(id: "${id}") { status remainingAmountDue } }`
  const stop = client.subscribe<State>(
    { query },
    {
      next: ({ data }) => {
        if (data) states.push([data.transitOrder.status, data.transitOrder.remainingAmountDue])
      },
      error: (error) => failures.push(error),
      complete: () => {},
    },
  )
  return { states, failures, stop }
}
