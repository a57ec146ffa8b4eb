import { CausewayError, readErrorAnswer } from '@causeway/sdk'

/** Sends a request below `/console/api`, a `POST` if it has a body. Throws `CausewayError`. */
export async function askConsole<Answer>(path: string, body?: object): Promise<Answer> {
  const init = body && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }
  const response = await fetch(`/console/api${path}`, init ?? {}).catch((cause: unknown) => {
    const message = 'The API does not answer.'
    throw new CausewayError({ reason: 'CONNECTION_FAILED', metadata: {}, message, cause })
  })
  if (!response.ok) throw await readErrorAnswer(response)
  return response.json()
}
