import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'

/** Mean of a sample; answers then take several times as long, as each waits for many turns. */
const MOST_DELAY_MS = 500
const SAMPLE_MS = 1_000
const RETRY_AFTER_SECONDS = 1

/** Answers `OVERLOADED` on routes of `app` while the process has more to do than it gets done. */
export async function refuseWhenLagging(app: FastifyInstance): Promise<void> {
  await app.register(underPressure, {
    maxEventLoopDelay: MOST_DELAY_MS,
    sampleInterval: SAMPLE_MS,
    pressureHandler: async () => {
      throw new ServiceError('OVERLOADED', 'This process has too much to do; ask again.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      })
    },
  })
}
