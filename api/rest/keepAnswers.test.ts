import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { LostChain } from '../../domain/context.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { keepAnswers } from './keepAnswers.ts'

type Page = { rows: number[] }

/** A list of one page. Its answers count. */
function list(cache: 'no-cache' | 'private, no-cache' = 'no-cache') {
  const state = {
    page: { rows: [1] } as Page,
    mark: '' as string | object | null,
    lostChains: [] as LostChain[],
    degraded: new Set<number>(),
    caller: { organizationId: 'one' },
  }
  let made = 0
  const answerOf = keepAnswers({
    read: async () => state.page,
    markOf: async () => state.mark,
    keyOf: ({ rows }) => rows,
    rootOf: () => ({}),
  })({ parameters: [], cache }, async () => {
    made += 1
    return { body: String(made), etag: '' }
  })
  const app = Fastify()
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', (request, _reply, done) => {
    // `keepAnswers` reads only these parts of a context.
    request.setDecorator('requestContext', state)
    done()
  })
  app.get('/', async (request) => (await answerOf({}, request)).body)
  const ask = async () => (await app.inject('/')).body
  return { state, ask }
}

test('default: the same answer for the same page and an equal mark', async () => {
  const { state, ask } = list()
  expect(await ask()).toBe('1')
  state.mark = ''
  expect(await ask()).toBe('1')
})

test('behavior: another answer for another page, and for another mark', async () => {
  const { state, ask } = list()
  await ask()
  state.page = { rows: [1] }
  expect(await ask()).toBe('2')
  state.mark = ['a price']
  expect(await ask()).toBe('3')
  state.mark = ['a price']
  expect(await ask()).toBe('3')
})

test('behavior: the same answer for another object of the same key', async () => {
  const { state, ask } = list()
  await ask()
  state.page = { ...state.page }
  expect(await ask()).toBe('1')
})

test.each([
  { cache: 'private, no-cache', expected: ['1', '2', '1', '2'] },
  { cache: 'no-cache', expected: ['1', '1', '1', '1'] },
] as const)('behavior: $cache: answers by organization: $expected', async ({ cache, expected }) => {
  const { state, ask } = list(cache)
  const answers: string[] = []
  for (const organizationId of ['one', 'two', 'one', 'two']) {
    state.caller = { organizationId }
    answers.push(await ask())
  }
  expect(answers).toEqual(expected)
})

test('behavior: the newest sixteen organizations have an answer', async () => {
  const { state, ask } = list('private, no-cache')
  for (let index = 0; index < 17; index += 1) {
    state.caller = { organizationId: `${index}` }
    await ask()
  }
  expect(await ask()).toBe('17')
  state.caller = { organizationId: '0' }
  expect(await ask()).toBe('18')
})

test('behavior: nothing is kept without a mark', async () => {
  const { state, ask } = list()
  state.mark = null
  expect([await ask(), await ask()]).toEqual(['1', '2'])
})

test('behavior: nothing is kept while a chain is degraded, as the answer may differ from its mark', async () => {
  const { state, ask } = list()
  state.degraded.add(1)
  await ask()
  state.degraded.clear()
  expect([await ask(), await ask()]).toEqual(['2', '2'])
})

test('behavior: an answer that lacks the rows of a chain is made anew, as it names the chain', async () => {
  const { state, ask } = list()
  await ask()
  state.lostChains = [{ error: new ServiceError('RPC_UNAVAILABLE', 'No node answers') }]
  expect(await ask()).toBe('2')
})
