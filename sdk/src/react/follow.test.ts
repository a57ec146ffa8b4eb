import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import type { WatchOptions } from '../watch/watchStates.ts'
import { follow } from './follow.ts'
import { readFactory } from './readFactory.ts'

type State = { status: string }

const connection = { url: 'http://api.test' } as Parameters<ReturnType<typeof orders>>[0]

/** A resource whose states the test sends, with the streams that are open and the reads that were made. */
function resource() {
  const open = new Set<object>()
  const opened: WatchOptions[] = []
  let waiting: ((state: State | null | Error) => void)[] = []
  async function* states(options: WatchOptions) {
    const stream = {}
    open.add(stream)
    opened.push(options)
    try {
      for (;;)
        yield await new Promise<State | null>((resolve, reject) => {
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason))
          waiting.push((state) => (state instanceof Error ? reject(state) : resolve(state)))
        })
    } finally {
      open.delete(stream)
    }
  }
  async function send(state: State | null | Error) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    const told = waiting
    waiting = []
    for (const tell of told) tell(state)
    await new Promise((done) => setTimeout(done, 5))
  }
  return { open, opened, states, send, onNews: vi.fn() }
}

function orders(read: () => Promise<State>) {
  return readFactory('order', (_, __: { id?: string }) => read())
}

function page() {
  const client = new QueryClient()
  const read = vi.fn(async () => ({ status: 'read' }))
  const factory = orders(read)
  const options = (id = 'a') => factory(connection, { id })
  const { queryKey } = options()
  const seen = () => client.getQueryData<State>(queryKey)?.status
  return { client, read, options, queryKey, seen }
}

test('default: the first read waits for the first state; each state is written; two users share a stream', async () => {
  const { client, read, options, queryKey, seen } = page()
  const order = resource()
  const first = follow(client, { queryKey, ...order })
  const second = follow(client, { queryKey, ...order })
  const reading = client.fetchQuery(options())
  await order.send({ status: 'PENDING' })
  expect(await reading).toEqual({ status: 'PENDING' })
  await order.send({ status: 'PROCESSED' })
  expect(seen()).toBe('PROCESSED')
  expect(await client.fetchQuery(options())).toEqual({ status: 'PROCESSED' })
  expect(read).not.toHaveBeenCalled()
  expect(order.opened).toHaveLength(1)
  first()
  expect(order.opened[0]?.signal?.aborted).toBe(false)
  second()
  await expect.poll(() => order.open.size).toBe(0)
  expect(await client.fetchQuery(options())).toEqual({ status: 'read' })
})

test('behavior: a follower that leaves and returns at once, as in StrictMode, has one stream', async () => {
  const { client, read, options, queryKey, seen } = page()
  const order = resource()
  follow(client, { queryKey, ...order })()
  const observer = new QueryObserver(client, options())
  const leave = follow(client, { queryKey, ...order })
  const stop = observer.subscribe(() => {})
  await expect.poll(() => order.open.size).toBe(1)
  await order.send({ status: 'PENDING' })
  expect(seen()).toBe('PENDING')
  leave()
  stop()
  await expect.poll(() => order.open.size).toBe(0)
  expect(read).not.toHaveBeenCalled()
})

test('behavior: a read that began before the following cannot overwrite a newer state', async () => {
  const { client, read, options, queryKey, seen } = page()
  const answer = Promise.withResolvers<State>()
  read.mockReturnValueOnce(answer.promise)
  const reading = client.fetchQuery(options())
  const order = resource()
  const leave = follow(client, { queryKey, ...order })
  expect(order.open.size).toBe(0)
  answer.resolve({ status: 'old' })
  await reading
  await order.send({ status: 'new' })
  expect(seen()).toBe('new')
  leave()
})

test('behavior: a read that began before the following and tries again does not wait for it', async () => {
  const { client, read, options, queryKey, seen } = page()
  read.mockRejectedValueOnce(new Error('the index catches up'))
  const reading = client.fetchQuery({ ...options(), retry: 1, retryDelay: 1 })
  const order = resource()
  const leave = follow(client, { queryKey, ...order })
  expect(await reading).toEqual({ status: 'read' })
  await order.send({ status: 'new' })
  expect(seen()).toBe('new')
  leave()
})

test('behavior: a state that was taken back is awaited again', async () => {
  const { client, read, options, queryKey, seen } = page()
  const order = resource()
  const leave = follow(client, { queryKey, ...order })
  const stop = new QueryObserver(client, options()).subscribe(() => {})
  await order.send({ status: 'PENDING' })
  await order.send(null)
  expect(seen()).toBeUndefined()
  await order.send({ status: 'PENDING again' })
  expect(seen()).toBe('PENDING again')
  expect(read).not.toHaveBeenCalled()
  leave()
  stop()
})

test('error: a refusal ends the following, and the read after it reports it', async () => {
  const { client, read, options, queryKey } = page()
  const order = resource()
  const leave = follow(client, { queryKey, ...order })
  const observer = new QueryObserver(client, options())
  const stop = observer.subscribe(() => {})
  await order.send({ status: 'PENDING' })
  read.mockRejectedValue(new Error('the key was revoked'))
  await order.send(new Error('refused'))
  await expect.poll(() => observer.getCurrentResult().error).toBeTruthy()
  expect(observer.getCurrentResult()).toMatchObject({
    status: 'error',
    data: { status: 'PENDING' },
  })
  expect(order.open.size).toBe(0)
  leave()
  stop()
})

test('behavior: only a new state is news', async () => {
  const { client, options, queryKey } = page()
  await client.prefetchQuery(options())
  const order = resource()
  const leave = follow(client, { queryKey, ...order })
  await order.send({ status: 'PENDING' })
  expect(order.onNews).not.toHaveBeenCalled()
  await order.send({ status: 'PROCESSED' })
  expect(order.onNews).toHaveBeenCalledTimes(1)
  leave()
})

test('behavior: the fifth that is followed at a time polls, so that connections are left', async () => {
  const { client, options } = page()
  const order = resource()
  const leaves = ['a', 'b', 'c', 'd', 'e'].map((id) =>
    follow(client, { queryKey: options(id).queryKey, ...order }),
  )
  await expect.poll(() => order.opened).toHaveLength(5)
  expect(order.opened.map(({ transports }) => transports)).toEqual([
    ...Array(4).fill(undefined),
    ['poll'],
  ])
  for (const leave of leaves) leave()
  await expect.poll(() => order.open.size).toBe(0)
})
