import type { Hex } from 'viem'
import { DEVNET_USERS, userAt } from '../devnet/accounts.ts'
import { ask } from '../test/support/ask.ts'
import { fuzzedRequest } from '../test/support/fuzzedRequest.ts'
import { quotePath } from '../test/support/quotes.ts'
import type { SeededRandom } from '../test/support/seededRandom.ts'

export type MixedLoad = {
  /** Answers by status. */
  statuses: Map<number, number>
  stop(): Promise<void>
}

const AT_ONCE = 16
/** An answer that takes longer counts as none, with status 0. */
const PATIENCE_MS = 20_000
const FIELDS =
  `id status finalized sourceChainId destinationChainId user receiver offerAsset wantAsset offerAmount amountDue
  remainingAmountDue receiveTime createdAt updatedAt sourceTxHash protocolFee integratorFee deadline`.split(
    /\s+/,
  )
const STREAMED = 'subscription ($id: Hash!) { transitOrder(id: $id) { id status } }'
const EARN = ['vaults', 'vaultAssets', 'vaultCompositions', 'vaultApys', 'vaultTvls', 'activity']

/**
 * Keeps 16 requests open, of all kinds of reads: orders with and without their last tag, lists, quotes of ever other amounts,
 * GraphQL documents of ever other shapes, streams that are opened and closed, and any operation with any parameters.
 */
export function startMixedLoad(url: string, orderIds: Hex[], random: SeededRandom): MixedLoad {
  const statuses = new Map<number, number>()
  const tags = new Map<string, string>()
  let isStopped = false

  const anyOrder = () => orderIds[random.integer(0, orderIds.length - 1)] ?? random.hex(32)

  /** Resolves when the answer has been read, to its status. */
  async function send(path: string, init: RequestInit = {}): Promise<number> {
    const response = await ask(`${url}${path}`, {
      ...init,
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    await response.arrayBuffer()
    const tag = response.headers.get('etag')
    if (tag && path.startsWith('/v1/transit/orders/0x')) tags.set(path, tag)
    return response.status
  }

  const post = (path: string, body: object) =>
    send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  function readOrder() {
    const path = `/v1/transit/orders/${random.chance(0.9) ? anyOrder() : random.hex(32)}`
    const tag = tags.get(path)
    return send(path, tag && random.chance(0.5) ? { headers: { 'if-none-match': tag } } : {})
  }

  function readList() {
    const user = random.pick([userAt(0), ...DEVNET_USERS]).address
    return random.chance(0.5)
      ? send(`/v1/transit/orders?userAddress=${user}&pageSize=${random.integer(1, 100)}`)
      : send(`/v2/earn/${random.pick(['vaults', ...EARN])}?pageSize=${random.integer(1, 100)}`)
  }

  function readQuote() {
    const offerAmount = String(random.integer(2_000_000_000, 2_100_000_000))
    const ends = { from: 1, to: random.pick([1, 4663]), offer: 'USDC', want: 'USDG' } as const
    return send(quotePath(ends, { userAddress: userAt(0).address, offerAmount }))
  }

  function readDocument() {
    const fields = FIELDS.filter(() => random.chance(0.5)).map((field) =>
      random.chance(0.3) ? `${field}${random.integer(0, 9)}: ${field}` : field,
    )
    const query = `query ($id: Hash!) { transitOrder(id: $id) { id ${fields.join(' ')} } }`
    return post('/graphql', { query, variables: { id: anyOrder() } })
  }

  async function openStream() {
    const gone = new AbortController()
    const response = await ask(`${url}/graphql/stream`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
      body: JSON.stringify({ query: STREAMED, variables: { id: anyOrder() } }),
      signal: AbortSignal.any([gone.signal, AbortSignal.timeout(PATIENCE_MS)]),
    })
    await response.body?.getReader().read()
    gone.abort()
    return response.status
  }

  function readAnything() {
    const { method, target, body, contentType, accept } = fuzzedRequest(random)
    const headers = {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(accept === undefined ? {} : { accept }),
    }
    return send(target, {
      method: method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body }),
    })
  }

  async function work() {
    while (!isStopped) {
      const read = random.pick([
        readOrder,
        readOrder,
        readOrder,
        readOrder,
        readList,
        readQuote,
        readDocument,
        readDocument,
        openStream,
        readAnything,
      ])
      const status = await read().catch(() => 0) // 0 is no answer, and counted as such.
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const working = Promise.all(Array.from({ length: AT_ONCE }, work))

  return {
    statuses,
    async stop() {
      isStopped = true
      await working
    },
  }
}
