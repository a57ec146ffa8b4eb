import { createClient } from 'graphql-sse'
import { onTestFinished } from 'vitest'
import { ask } from './ask.ts'

/** The changes for which a subscription sends again. */
export type WithdrawalState = [
  status: string,
  receiver: string,
  position: number | null,
  sharesAhead: string | null,
]
type Answer = {
  withdrawalRequest: {
    status: string
    receiverAddress: string
    queuePosition: number | null
    sharesAhead: string | null
  }
}

/** Every state that the subscription sends, until the test ends. */
export function watchWithdrawal(url: string, id: string) {
  const states: WithdrawalState[] = []
  const failures: unknown[] = []
  const client = createClient({ url: `${url}/graphql/stream`, retryAttempts: 0, fetchFn: ask })
  const query = `subscription { withdrawalRequest(id: "${id}") {
    status receiverAddress queuePosition sharesAhead } }`
  const stop = client.subscribe<Answer>(
    { query },
    {
      next: ({ data, errors }) => {
        if (errors) failures.push(errors[0])
        if (!data?.withdrawalRequest) return
        const { status, receiverAddress, queuePosition, sharesAhead } = data.withdrawalRequest
        states.push([status, receiverAddress, queuePosition, sharesAhead])
      },
      error: (error) => failures.push(error),
      complete: () => {},
    },
  )
  onTestFinished(() => stop())
  return { states, failures }
}
