import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../domain/error/serviceError.ts'

/**
 * Answers 405 with `Allow` for every method that a path does not have. Call it before the routes are
 * registered, because it watches them; the function that it returns adds the missing methods afterwards.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const methodsByPath = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsByPath.set(url, methods)
  })

  return () => {
    for (const [url, methods] of [...methodsByPath]) {
      const allow = [...methods].sort().join(', ')
      app.route({
        method: app.supportedMethods.filter((method) => !methods.has(method)),
        url,
        // Before the body is read, which does not matter here.
        onRequest: async (request, reply) => {
          reply.header('allow', allow)
          throw new ServiceError(
            'METHOD_NOT_ALLOWED',
            `${request.method} is not a method of this path; allowed: ${allow}.`,
          )
        },
        handler: () => {},
      })
    }
  }
}
