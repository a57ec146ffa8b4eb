import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createCpuBudget } from '../../domain/limits/cpuBudget.ts'
import { CPU_LIMITS_MS } from '../../domain/limits/rateLimits.ts'
import { createTally } from '../../domain/limits/tally.ts'
import { countAtWork } from '../http/requestsAtWork.ts'
import { MOST_AT_WORK } from '../http/shedLoad.ts'
import { createCpuMeter } from './cpuMeter.ts'
import { principalOf } from './principal.ts'
import { rateLimited } from './rateLimited.ts'
import { tooManyOpen } from './tooManyOpen.ts'

/** Requests that one principal may have at work: a part of what the process takes. */
const MOST_PER_PRINCIPAL = { address: MOST_AT_WORK / 4, key: MOST_AT_WORK / 2 }

type WaitSeconds = () => number

const DECORATOR = 'cpuWaitSeconds'

/** Seconds until the principal of a running request may use more CPU time; 0 if it may now. */
export function cpuWaitSeconds(request: FastifyRequest): number {
  return request.getDecorator<WaitSeconds | null>(DECORATOR)?.() ?? 0
}

/**
 * Limits what one principal takes of the process, whatever its requests cost in points: its requests at work
 * (`TOO_MANY_OPEN`), and its CPU time (`RATE_LIMITED`, class `cpu`). Call it after `withRequestContext`.
 */
export function limitWork(app: FastifyInstance, { isOn }: { isOn: boolean }): void {
  app.decorateRequest(DECORATOR, null)
  if (!isOn) return
  const tally = createTally()
  const budget = createCpuBudget()
  const meter = createCpuMeter()
  app.addHook('onRequest', (request, _reply, done) => {
    const { kind, name, tier } = principalOf(request)
    const limit = CPU_LIMITS_MS[tier]
    const waitSeconds = () => (limit === null ? 0 : budget.waitSeconds(name, limit))
    request.setDecorator(DECORATOR, waitSeconds)
    const seconds = waitSeconds()
    if (limit !== null && seconds > 0)
      throw rateLimited(`Your requests used ${limit} ms of CPU time a minute.`, {
        limitClass: 'cpu',
        limit,
        seconds,
      })
    const most = MOST_PER_PRINCIPAL[kind]
    if (tally.count(name) >= most) throw tooManyOpen('requests', most, kind)
    countAtWork(request, () => {
      const leave = tally.enter(name)
      const stop = meter.start()
      return () => {
        leave()
        budget.spend(name, stop())
      }
    })
    done()
  })
}
