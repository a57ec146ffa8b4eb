import type { FastifyInstance } from 'fastify'
import type { AppServices } from '../../domain/appContext.ts'
import type { Console } from './createConsole.ts'
import { INVITATION_ROUTES } from './invitationRoutes.ts'
import { LOCAL_NODE_ROUTES } from './localNodeRoutes.ts'
import { OIDC_ROUTES } from './oidcRoutes.ts'
import { refuseForged } from './refuseForged.ts'
import { SECOND_FACTOR_ROUTES } from './secondFactorRoutes.ts'
import { SESSION_ROUTES } from './sessionRoutes.ts'
import { LOCAL_SIGN_IN_ROUTES, SIGN_IN_ROUTES } from './signInRoutes.ts'

/** Serves sign-in and sessions below `/console/api`. Everything else of the console goes through the public API. */
export function serveConsole(app: FastifyInstance, service: AppServices, console: Console): void {
  app.addHook('onClose', () => console.stop())
  const tables = [
    SIGN_IN_ROUTES,
    SECOND_FACTOR_ROUTES,
    SESSION_ROUTES,
    INVITATION_ROUTES,
    ...(console.hasLocalSignIn ? [LOCAL_SIGN_IN_ROUTES, LOCAL_NODE_ROUTES] : []),
    ...(console.hasOidc ? [OIDC_ROUTES] : []),
  ]
  for (const [name, answer] of tables.flatMap((table) => Object.entries(table))) {
    const [method = '', path] = name.split(' ')
    const isCallback = path === '/auth/callback/oidc'
    app.route({
      method,
      url: `/console/api${path}`,
      config: { limitClass: 'reads' },
      onRequest: async (request, reply) => {
        reply.header('cache-control', 'no-store')
        // The provider's page leads here; the library checks its state.
        if (!isCallback) refuseForged(request, console)
      },
      handler: (request, reply) => answer({ console, service }, request, reply),
    })
  }
}
