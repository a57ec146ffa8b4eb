import type { FastifyRequest } from 'fastify'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { unknownFields } from '../http/unknownNames.ts'

/** The fields of a request, as GraphQL over HTTP names them. */
const FIELDS = ['query', 'operationName', 'variables', 'extensions']

/** Throws `INVALID_FIELD` that names every unknown field of the body. */
export async function refuseUnknownFields({ body }: FastifyRequest): Promise<void> {
  const unknown = unknownFields(body, FIELDS)
  if (unknown.length > 0) throw invalidFields(unknown)
}
