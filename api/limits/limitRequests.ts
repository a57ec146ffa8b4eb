import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { Charge, QuotaLeases } from '../../domain/limits/quotaLeases.ts'
import { type LimitClass, RATE_LIMITS, WINDOW_SECONDS } from '../../domain/limits/rateLimits.ts'
import type { OperationCost } from '../graphql/operationCost.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { clientAddress } from './clientAddress.ts'

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: Fastify merges this interface
  export interface FastifyContextConfig {
    /** Which allowance a request of this route is charged to; without one, none. */
    limitClass?: LimitClass
  }
}

type ChargePoints = (points: number) => Promise<void>

const DECORATOR = 'chargePoints'

/**
 * Charges every request of `app` a point of its class, before anything is read for it. Throws
 * `RATE_LIMITED`. It comes after the key is known; `null` charges nothing.
 */
export function limitRequests(app: FastifyInstance, leases: QuotaLeases | null): void {
  app.decorateRequest(DECORATOR, null)
  if (!leases) return
  app.addHook('onRequest', async (request, reply) => {
    const { limitClass } = request.routeOptions.config as FastifyContextConfig
    if (!limitClass) return
    const { caller } = requestContextOf(request)
    const limit = RATE_LIMITS[caller?.rateLimitTier ?? 'anonymous'][limitClass]
    if (limit === null) return
    const spender = caller ? `key:${caller.keyId}` : `address:${clientAddress(request)}`
    const charge: ChargePoints = async (points) => {
      const charged = await leases.charge(`${limitClass}:${spender}`, { limit, points })
      answerCharge(reply, charged, { limitClass, limit, points })
    }
    request.setDecorator(DECORATOR, charge)
    await charge(1)
  })
}

/** Charges what an operation costs beyond the point of its request. Throws `RATE_LIMITED`. */
export async function chargeOperation(
  request: FastifyRequest,
  cost: OperationCost | null,
): Promise<void> {
  const charge = request.getDecorator<ChargePoints | null>(DECORATOR)
  if (cost && cost.requested > 1) await charge?.(cost.requested - 1)
}

type Charged = { limitClass: string; limit: number; points: number }

/** Says in `RateLimit-*` what is left, and refuses what was not granted. */
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
  // GraphQL answers its own errors; the header is the same at every door.
  reply.header('retry-after', seconds)
  throw rateLimited(
    `This takes ${points} of ${limit} points that you have for ${limitClass} each minute; ${remaining} are left.`,
    { limitClass, limit, seconds },
  )
}

/** The one 429. */
export function rateLimited(
  message: string,
  { limitClass, limit, seconds }: { limitClass: string; limit: number; seconds: number },
): ServiceError {
  return new ServiceError('RATE_LIMITED', `${message} Ask again in ${seconds} s.`, {
    metadata: { class: limitClass, limit: String(limit), windowSeconds: String(WINDOW_SECONDS) },
    retryAfterSeconds: seconds,
  })
}
