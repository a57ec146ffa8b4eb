import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../support/ask.ts'
import { undescribed, undescribedTable } from '../support/describedAnswer.ts'
import { type EarnWorld, startEarnWorld } from '../support/earnWorld.ts'
import { type FuzzedRequest, fuzzedRequest } from '../support/fuzzedRequest.ts'
import { heapOfData } from '../support/heapOfData.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { seededRandom } from '../support/seededRandom.ts'

/** Short here; `npm run simulate -- fuzz [requests] [seed]` is the long form. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 1_500)
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000)
const AT_ONCE = 8
/** The growth of the heap after garbage collection from the first half to the second. */
const MAX_GROWTH_BYTES = 4 * 1024 * 1024
/** Stack frames, files and statements. */
const INTERNALS =
  /\bat .+:\d+:\d+|node_modules|\.ts\b|\bselect\b.+\bfrom\b|\bread\.\w+|postgres(ql)?:/i

let earn: EarnWorld
/** With their ports: answers may repeat other local addresses, which callers sent. */
let internalAddresses: string[]
beforeAll(async () => {
  earn = await startEarnWorld([1, 4663])
  const { world, api, attestationUrl } = earn
  const urls = [api.databaseUrl, attestationUrl, ...Object.values(world.rpcUrls)]
  internalAddresses = urls.map((url) => new URL(url).host)
})
afterAll(() => earn?.stop())

async function send({
  method,
  target,
  body,
  contentType,
  accept,
}: FuzzedRequest): Promise<string[]> {
  const url = `${earn.api.url}${target}`
  const response = await ask(url, {
    method: method.toUpperCase(),
    ...(body === undefined ? {} : { body }),
    headers: {
      ...(contentType === undefined ? {} : { 'content-type': contentType }),
      ...(accept === undefined ? {} : { accept }),
    },
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  const text = await response.text()
  const { status } = response
  const found =
    INTERNALS.exec(text)?.[0] ?? internalAddresses.find((address) => text.includes(address))
  const type = response.headers.get('content-type') ?? ''
  const faults = type.startsWith('text/event-stream')
    ? []
    : type.startsWith('text/csv')
      ? undescribedTable(url, status, text)
      : undescribed(url, status, JSON.parse(text), method)
  return [
    ...(status === 500 ? ['a 500'] : []),
    ...(found ? [`internals: ${found}`] : []),
    ...faults,
  ].map(
    (problem) =>
      `${problem} (${status}) ${method} ${target.slice(0, 300)} ${body?.slice(0, 200) ?? ''}`,
  )
}

test(`behavior: whatever is asked is answered as described, seed ${SEED}`, async () => {
  const random = seededRandom(SEED)
  const problems: string[] = []
  const heaps: number[] = []
  let left = REQUESTS
  const worker = async (until: number) => {
    while (left > until && problems.length < 20) {
      left -= 1
      const request = fuzzedRequest(random)
      problems.push(
        ...(await send(request).catch((error) => [`${error} ${request.target.slice(0, 200)}`])),
      )
    }
  }
  // The first tenth fills the caches.
  for (const until of [REQUESTS * 0.9, REQUESTS * 0.45, 0]) {
    await Promise.all(Array.from({ length: AT_ONCE }, () => worker(until)))
    heaps.push(heapOfData())
  }
  const [, first = 0, second = 0] = heaps
  const megabytes = heaps.map((bytes) => (bytes / 1024 / 1024).toFixed(1)).join(', ')
  process.stdout.write(`fuzz: ${REQUESTS - left} requests, heap after collection ${megabytes} MB\n`)
  expect(problems).toEqual([])
  expect(second - first).toBeLessThan(MAX_GROWTH_BYTES)
}, 1_800_000)
