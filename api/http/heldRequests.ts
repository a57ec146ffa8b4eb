import type { FastifyRequest } from 'fastify'

const held = new WeakSet<FastifyRequest>()

/** Notes that a request is held: a long poll, a stream, or a CSV whose client reads slowly. */
export function noteHeld(request: FastifyRequest): void {
  held.add(request)
}

/** Whether a request is or was held. */
export function wasHeld(request: FastifyRequest): boolean {
  return held.has(request)
}
