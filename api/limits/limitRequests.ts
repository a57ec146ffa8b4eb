import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Charge, QuotaLeases } from '../../domain/limits/quotaLeases.ts'
import {
  bucketOf,
  type LimitClass,
  RATE_LIMITS,
  WINDOW_SECONDS,
} from '../../domain/limits/rateLimits.ts'
import { notePoints } from '../http/requestNotes.ts'
import { cpuWaitSeconds } from './limitWork.ts'
import { principalOf } from './principal.ts'
import { rateLimited } from './rateLimited.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify merges this interface
  export interface FastifyContextConfig {
    /** The quota that a request of this route is charged to; without one, none. */
    limitClass?: LimitClass
  }
}

/** Waits only where the quota must be asked for. */
type ChargePoints = (points: number) => void | Promise<void>

const DECORATOR = 'chargePoints'

type ChargePage = () => Promise<Charge & { limit: number }>

const PAGE_DECORATOR = 'chargePage'

/**
 * Charges every request of `app` one point of its class, before anything is read for it. Throws
 * `RATE_LIMITED`. Call it after `withRequestContext`; with `null` nothing is limited, and points are only noted.
 */
export function limitRequests(app: FastifyInstance, leases: QuotaLeases | null): void {
  app.decorateRequest(DECORATOR, null)
  app.decorateRequest(PAGE_DECORATOR, null)
  app.addHook('onRequest', (request, reply, done) => {
    const { limitClass } = request.routeOptions.config as FastifyContextConfig
    if (!limitClass) return done()
    const { name, tier } = principalOf(request)
    const limit = RATE_LIMITS[tier][limitClass]
    if (!leases || limit === null) {
      request.setDecorator(DECORATOR, (points: number) => notePoints(request, points))
      notePoints(request, 1)
      return done()
    }
    const bucket = bucketOf(limitClass, name)
    const charge: ChargePoints = (points) => {
      const answer = (charged: Charge) => {
        answerCharge(reply, charged, { limitClass, limit, points })
        notePoints(request, points)
      }
      const charged = leases.charge(bucket, { limit, points })
      return charged instanceof Promise ? charged.then(answer) : answer(charged)
    }
    request.setDecorator(DECORATOR, charge)
    request.setDecorator(PAGE_DECORATOR, async () => {
      return { ...(await leases.charge(bucket, { limit, points: 1 })), limit }
    })
    const charged = charge(1)
    if (charged) return charged
    done()
  })
}

/** A request that reads page after page leaves this part of a quota to the client's other requests. */
const LEFT_SHARE = 0.2

/**
 * Charges a further page of an answer whose headers are sent, so that no refusal is possible: the page waits for
 * `waitMs`, and is charged again if that was not granted.
 */
export async function chargePage(
  request: FastifyRequest,
): Promise<{ isGranted: boolean; waitMs: number }> {
  const cpuMs = cpuWaitSeconds(request) * 1_000
  const charge = await request.getDecorator<ChargePage | null>(PAGE_DECORATOR)?.()
  if (!charge) {
    notePoints(request, 1)
    return { isGranted: true, waitMs: cpuMs }
  }
  const { isGranted, remaining, limit, endsAt } = charge
  if (isGranted) notePoints(request, 1)
  const isLow = !isGranted || remaining < limit * LEFT_SHARE
  return { isGranted, waitMs: Math.max(cpuMs, isLow ? endsAt - Date.now() : 0, 0) }
}

/** Charges further points to a request of a route with a class. Throws `RATE_LIMITED`. */
export async function chargePoints(request: FastifyRequest, points: number): Promise<void> {
  await request.getDecorator<ChargePoints | null>(DECORATOR)?.(points)
}

type Charged = { limitClass: string; limit: number; points: number }

/** Sets the `RateLimit-*` headers. Throws `RATE_LIMITED` where the charge was not granted. */
function answerCharge(
  reply: FastifyReply,
  { isGranted, remaining, endsAt }: Charge,
  { limitClass, limit, points }: Charged,
): void {
  const seconds = Math.max(Math.ceil((endsAt - Date.now()) / 1_000), 1)
  reply.headers({
    'ratelimit-limit': limit,
    'ratelimit-remaining': remaining,
    'ratelimit-reset': seconds,
    'ratelimit-policy': `${limit};w=${WINDOW_SECONDS}`,
  })
  if (isGranted) return
  // REST sets this header from the error, GraphQL does not.
  reply.header('retry-after', seconds)
  throw rateLimited(
    `The request costs ${points} points. Your quota of ${limitClass} is ${limit} points a minute; ${remaining} are left.`,
    { limitClass, limit, seconds },
  )
}
