import type { FastifyRequest } from 'fastify'

const held = new WeakSet<FastifyRequest>()

/** Notes that a request waits for what its client waits for. */
export function noteHeld(request: FastifyRequest): void {
  held.add(request)
}

/** Whether a request waits so, or did. */
export function wasHeld(request: FastifyRequest): boolean {
  return held.has(request)
}
