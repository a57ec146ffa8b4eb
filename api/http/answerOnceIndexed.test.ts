import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { LostChain } from '../../domain/context.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { answerOnceIndexed } from './answerOnceIndexed.ts'

test('behavior: what a read noted that was refused says nothing of the answer', async () => {
  const noted = {
    freshness: new Map<number, bigint>(),
    degraded: new Set<number>(),
    lostChains: [] as LostChain[],
    indexWait: { untilAnswerable: async () => true },
  }
  const refusal = new ServiceError('INDEX_CATCHING_UP', 'It is catching up', {
    metadata: { chainId: '1' },
  })
  let reads = 0
  async function read() {
    reads += 1
    if (reads > 1) return 'answer'
    noted.freshness.set(4663, 99n)
    noted.degraded.add(4663)
    noted.lostChains.push({ error: refusal })
    throw refusal
  }
  const app = Fastify()
  app.decorateRequest('requestContext', null)
  app.addHook('onRequest', (request, _reply, done) => {
    // `answerOnceIndexed` reads only these parts of a context.
    request.setDecorator('requestContext', noted)
    done()
  })
  app.get('/', (request) => answerOnceIndexed(request, read))
  expect((await app.inject('/')).body).toBe('answer')
  expect([noted.freshness.size, noted.degraded.size, noted.lostChains.length]).toEqual([0, 0, 0])
})
