import { type EventStore, handleOnce } from './eventStore.ts'
import {
  type CausewayEvent,
  type VerifyWebhookParameters,
  verifyWebhook,
  WebhookVerificationError,
} from './verifyWebhook.ts'

export type ReceiverOptions = Pick<VerifyWebhookParameters, 'secrets' | 'toleranceSeconds'> & {
  /** The work. If it throws, the API delivers the event again. End within 10 s, or queue the work. */
  onEvent: (event: CausewayEvent) => void | Promise<void>
  /** Handles each event once. Without it, `onEvent` gets repeated deliveries too. */
  store?: EventStore
  /** Gets what `onEvent` throws. Without it the error is only visible as a failed delivery. */
  onError?: (error: unknown) => void
}

/** The status to answer. 401 for a request that is not verified, 503 for an event that another process handles now. */
export type WebhookAnswer = { status: 204 | 401 | 500 | 503 }

/**
 * Verifies a request, handles its event, and returns what to answer.
 *
 * @example
 * const { status } = await receiveWebhook({ secrets, onEvent }, { headers: request.headers, body })
 */
export async function receiveWebhook(
  { secrets, toleranceSeconds, onEvent, store, onError }: ReceiverOptions,
  { headers, body }: Pick<VerifyWebhookParameters, 'headers' | 'body'>,
): Promise<WebhookAnswer> {
  try {
    const event = verifyWebhook({ secrets, headers, body, toleranceSeconds })
    const handle = () => onEvent(event)
    if (!store) await handle()
    else if (!(await handleOnce(store, event.id, handle))) return { status: 503 }
    return { status: 204 }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { status: 401 }
    onError?.(error)
    return { status: 500 }
  }
}
