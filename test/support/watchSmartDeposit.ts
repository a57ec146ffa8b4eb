import { createClient } from 'graphql-sse'
import { onTestFinished } from 'vitest'
import { ask } from './ask.ts'

type Answer = {
  smartDeposit: { status: string; remediation: string | null; timeline: { type: string }[] }
}

/** Every state that the subscription sends to a key's organization, until the test ends. */
export function watchSmartDeposit(url: string, depositId: string, key: string) {
  const states: string[] = []
  const failures: unknown[] = []
  const fetchFn = (target: string, init: RequestInit) =>
    ask(target, { ...init, headers: { ...(init.headers as object), 'x-api-key': key } })
  const client = createClient({ url: `${url}/graphql/stream`, retryAttempts: 0, fetchFn })
  const query = `subscription { smartDeposit(depositId: "${depositId}") {
    status remediation timeline { type } } }`
  const stop = client.subscribe<Answer>(
    { query },
    {
      next: ({ data, errors }) => {
        if (errors) failures.push(errors[0])
        if (!data?.smartDeposit) return
        const { status, remediation, timeline } = data.smartDeposit
        states.push([status, remediation, timeline.length].join(' '))
      },
      error: (error) => failures.push(error),
      complete: () => {},
    },
  )
  onTestFinished(() => stop())
  return { states, failures }
}
