import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { AppServices } from '../../domain/appContext.ts'
import { issueViolations } from '../../domain/error/paramViolations.ts'
import { invalidFields, ServiceError } from '../../domain/error/serviceError.ts'
import { type ChainParts, describeChain } from '../../domain/health/describeChain.ts'
import { readChainParts, readPulses } from '../../domain/health/readChainParts.ts'
import type { Lifecycle } from '../http/lifecycle.ts'
import { mistypedParameters } from '../http/unknownNames.ts'

const GIVEN_ONCE = 'expected once'
const parameters = z.object({
  maxLagSeconds: z
    .string({ error: GIVEN_ONCE })
    .regex(/^\d{1,7}$/, 'expected a whole number of seconds')
    .transform(Number)
    .optional(),
  chainIds: z
    .string({ error: GIVEN_ONCE })
    .regex(/^\d{1,15}(,\d{1,15})*$/, 'expected chain ids, comma-separated')
    .transform((text) => text.split(',').map(Number))
    .optional(),
})

/**
 * `GET /ready`, for balancers: 503 while starting or draining and, if it is asked with `maxLagSeconds`, while the
 * index of a chain lacks more. Requests at the same time share one reading of the index.
 */
export function serveReady(app: FastifyInstance, service: AppServices, lifecycle: Lifecycle): void {
  let reading: Promise<Map<number, ChainParts>> | undefined
  const readIndex = () => {
    reading ??= readPulses(service)
      .then((pulses) => readChainParts(service, pulses))
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  app.get('/ready', async (request, reply) => {
    reply.header('cache-control', 'no-store')
    const asked = readQuery(request.query as Record<string, unknown>)
    if (lifecycle.phase === 'draining')
      throw new ServiceError('SHUTTING_DOWN', 'This process is stopping.')
    if (lifecycle.phase === 'starting')
      throw new ServiceError('STARTING', 'This process is starting.')
    if (asked.maxLagSeconds !== undefined)
      refuseStale(await readIndex(), { ...asked, maxLagSeconds: asked.maxLagSeconds })
    return { status: 'ok' }
  })
}

/** A misspelt parameter is refused: ignored, it would leave a probe that never fails. */
function readQuery(query: Record<string, unknown>): z.infer<typeof parameters> {
  const { data, error } = parameters.safeParse(query)
  const violations = [
    ...issueViolations(error),
    ...mistypedParameters(query, Object.keys(parameters.shape)),
  ]
  if (data?.chainIds && data.maxLagSeconds === undefined)
    violations.push({ field: 'maxLagSeconds', description: 'required with chainIds' })
  if (!data || violations.length > 0) throw invalidFields(violations)
  return data
}

type Asked = { maxLagSeconds: number; chainIds?: number[] | undefined }

function refuseStale(index: Map<number, ChainParts>, { maxLagSeconds, chainIds }: Asked): void {
  const unknown = chainIds?.filter((chainId) => !index.has(chainId)) ?? []
  if (unknown.length > 0)
    throw invalidFields([
      { field: 'chainIds', description: `not indexed here: ${unknown.join(', ')}` },
    ])
  const stale = [...index].filter(
    ([chainId, parts]) =>
      (chainIds?.includes(chainId) ?? true) && !describeChain({ ...parts, maxLagSeconds }).isLevel,
  )
  if (stale.length === 0) return
  const named = stale.map(([chainId]) => chainId).join(',')
  throw new ServiceError('UNHEALTHY', `The index lacks over ${maxLagSeconds} s of: ${named}.`, {
    metadata: { chainIds: named },
  })
}
