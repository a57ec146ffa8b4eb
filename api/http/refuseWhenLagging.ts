import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'

const RESOLUTION_MS = 10
const SAMPLE_MS = 500
/** Mean of a sample; an answer waits for several turns, so it takes several times as long. */
const MOST_DELAY_MS = 150
/** One is a start, a collection, a machine that stalled: over when it is known. */
const SAMPLES_IN_A_ROW = 2

/**
 * Answers `OVERLOADED` on routes of `app` while the process has more to do than it gets done.
 * (@fastify/under-pressure judges by one sample, and takes one that measured nothing for the worst.)
 */
export function refuseWhenLagging(app: FastifyInstance): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  let lateSamples = 0
  const timer = setInterval(() => {
    // Where nothing was measured, there was no turn.
    const isInTime = delay.mean / 1e6 - RESOLUTION_MS <= MOST_DELAY_MS
    lateSamples = isInTime ? 0 : lateSamples + 1
    delay.reset()
  }, SAMPLE_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    delay.disable()
  })
  app.addHook('onRequest', async () => {
    if (lateSamples < SAMPLES_IN_A_ROW) return
    throw new ServiceError('OVERLOADED', 'This process has too much to do; ask again.')
  })
}
