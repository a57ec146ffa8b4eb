import type { ServerResponse } from 'node:http'
import { ask } from '../support/ask.ts'
import type { SeededRandom } from '../support/seededRandom.ts'
import {
  accept,
  answer,
  type Behaviour,
  type Receiver,
  startReceiver,
} from '../support/webhookReceiver.ts'

/** How a receiver fails. */
export const AILING = {
  slow: (response) => void setTimeout(() => response.writeHead(204).end(), 4_000),
  dead: (response) => void response.destroy(),
  silent: () => {},
  failing: answer(500),
  throttling: answer(429, { 'retry-after': '1' }),
  redirecting: answer(302, { location: 'http://127.0.0.1:1/admin' }),
  endless,
  garbage: (response) => void response.socket?.end('HTTP/1.1 99999 no\r\nx'),
} satisfies Record<string, Behaviour>

export type Ailing = keyof typeof AILING
const KINDS = Object.keys(AILING) as [Ailing, ...Ailing[]]

export type HookedReceiver = { name: string; endpointId: string; receiver: Receiver }

export type Receivers = {
  /** The one that always accepts. */
  good: HookedReceiver
  all: HookedReceiver[]
  /** Makes one of the others ail, and returns what to call it and how to heal it. */
  ail(random: SeededRandom): { name: string; heal(): void }
  stop(): Promise<void>
}

/** Receivers with an endpoint each, which gets every event of every order, request and vault. */
export async function startReceivers(url: string): Promise<Receivers> {
  const all: HookedReceiver[] = []
  for (const name of ['good', 'one', 'other']) {
    const receiver = await startReceiver()
    all.push({ name, receiver, endpointId: await createEndpoint(url, receiver.url) })
  }
  const [good, one, other] = all
  if (!good || !one || !other) throw new Error('Invariant(startReceivers): three receivers')
  return {
    good,
    all,
    ail(random) {
      const { name, receiver } = random.pick([one, other])
      const kind = random.pick(KINDS)
      receiver.behave(AILING[kind])
      return { name: `${name} is ${kind}`, heal: () => receiver.behave(accept) }
    },
    async stop() {
      for (const { receiver } of all) await receiver.stop()
    },
  }
}

async function createEndpoint(url: string, target: string): Promise<string> {
  const response = await ask(`${url}/v2/webhooks/endpoints`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: target, eventTypes: ['*'], filter: '' }),
  })
  if (!response.ok) throw new Error(`no endpoint: ${await response.text()}`)
  const { endpoint } = (await response.json()) as { endpoint: { id: string } }
  return endpoint.id
}

/** A body without an end, until the sender has had enough. */
function endless(response: ServerResponse) {
  response.writeHead(200)
  const timer = setInterval(() => response.write('x'.repeat(65_536)), 20)
  response.once('close', () => clearInterval(timer))
}
