import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createTally } from '../../domain/limits/tally.ts'
import { type HeldRequest, observe } from '../../domain/observation/observe.ts'
import { noteHeld } from '../http/heldRequests.ts'
import { pauseWork } from '../http/requestsAtWork.ts'
import type { ClientCaps } from './clientCaps.ts'
import { principalOf } from './principal.ts'
import { tooManyOpen } from './tooManyOpen.ts'

/** A place among the held requests of a principal. */
export type HeldPlace = {
  /** Begins a wait, for which the request is not at work; the returned function ends it. */
  pause(): () => void
  /** Runs a wait. */
  wait<Result>(run: () => Promise<Result>): Promise<Result>
  leave(): void
}

type TakePlace = () => () => void

const DECORATOR = 'takeHeldPlace'

/** Gives requests of `app` their places; with `null`, as many as they take. */
export function limitHeld(app: FastifyInstance, caps: ClientCaps | null): void {
  const tally = createTally()
  app.decorateRequest(DECORATOR, null)
  if (!caps) return
  app.addHook('onRequest', (request, _reply, done) => {
    request.setDecorator(DECORATOR, (() => {
      const { kind, name } = principalOf(request)
      const most = kind === 'key' ? caps.heldPerKey : caps.heldPerAddress
      if (tally.count(name) >= most) throw tooManyOpen('held', most, kind)
      return tally.enter(name)
    }) satisfies TakePlace)
    done()
  })
}

/** Takes a place for a request that will be held. Throws `TOO_MANY_OPEN`. */
export function takeHeldPlace(request: FastifyRequest, what: HeldRequest): HeldPlace {
  const leave = request.getDecorator<TakePlace | null>(DECORATOR)?.() ?? (() => {})
  function pause() {
    noteHeld(request)
    const resume = pauseWork(request)
    observe({ kind: 'held', what, change: 1 })
    return () => {
      observe({ kind: 'held', what, change: -1 })
      resume()
    }
  }
  return {
    pause,
    async wait(run) {
      const end = pause()
      return run().finally(end)
    },
    leave,
  }
}
