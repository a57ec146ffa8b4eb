import type { Connection } from '@causeway/sdk'
import type { Exchange } from './step.ts'

/** Gets a request when it is sent, and again with its answer. */
export type Recorder = (exchange: Exchange) => void

/** A connection whose requests and answers are recorded. */
export function recordRequests(connection: Connection, record: Recorder): Connection {
  // The SDK reports a request and sends it in one go, so nothing comes between the two.
  let operation = ''
  return {
    ...connection,
    onRequest(request) {
      operation = request.operation
      connection.onRequest(request)
    },
    async fetch(input, init) {
      const sent: Exchange = {
        operation,
        method: init?.method ?? 'GET',
        url: String(input),
        body: typeof init?.body === 'string' ? init.body : null,
        status: null,
        answer: null,
        durationMs: null,
        count: 1,
      }
      record(sent)
      const startedAt = performance.now()
      const response = await connection.fetch(input, init)
      const answer = await response.clone().text()
      const durationMs = performance.now() - startedAt
      record({ ...sent, status: response.status, answer, durationMs })
      return response
    },
  }
}
