import type { FastifyRequest } from 'fastify'
import { chargePoints } from '../limits/limitRequests.ts'
import type { OperationCost } from './operationCost.ts'
import { preparedDocument } from './prepareOperation.ts'

/** Characters of a query that are parsed and validated for a point. */
const CHARACTERS_PER_POINT = 20

/** Charges a query text that must be parsed, whether it is valid or not. Throws `RATE_LIMITED`. */
export async function chargeDocument(request: FastifyRequest, query: string): Promise<void> {
  if (query === '' || preparedDocument(query)) return
  await chargePoints(request, Math.ceil(query.length / CHARACTERS_PER_POINT))
}

/** Charges the cost of an operation, less the point of its request. Throws `RATE_LIMITED`. */
export async function chargeOperation(request: FastifyRequest, cost: OperationCost): Promise<void> {
  if (cost.requested > 1) await chargePoints(request, cost.requested - 1)
}
