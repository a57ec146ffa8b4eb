import type { ISql, Sql } from 'postgres'
import { type Administrator, audited } from '../../access/audit.ts'
import { createKeptReads, type ReadStore } from '../../cache/keptReads.ts'
import { ServiceError } from '../../error/serviceError.ts'
import type { ResolvedRoute } from '../routes/resolvedRoutes.ts'

/** An operator's stop of quotes. `route` is the key of a route, or `ALL_ROUTES`. */
export type RoutePause = { route: string; reason: string; actor: string; pausedAt: Date }

export type RoutePauses = {
  /** The stop of a route's quotes, or of all quotes; null while they are given. Throws the database's error. */
  stopOf(resolved: ResolvedRoute): Promise<RoutePause | null>
  /**
   * Throws `ROUTE_PAUSED` if an operator stopped the quotes of a route, and the database's error if that
   * is not known: nothing may be signed then.
   */
  refusePaused(resolved: ResolvedRoute): Promise<void>
}

export const ALL_ROUTES = 'all'

/** A stop must work within 5 s on every replica, with the time of the read and of a signature. */
const LIFE_MS = 2_000

export function createRoutePauses(sql: Sql, store: ReadStore): RoutePauses {
  const pauses = createKeptReads(
    store,
    { name: 'route_pauses', keyOf: () => '', lifeMs: LIFE_MS },
    () => listPauses(sql),
  )
  async function stopOf({ key }: ResolvedRoute): Promise<RoutePause | null> {
    const current = await pauses.get(null)
    return current.find(({ route }) => route === ALL_ROUTES || route === key) ?? null
  }
  return {
    stopOf,
    async refusePaused(resolved) {
      const pause = await stopOf(resolved)
      if (!pause) return
      throw new ServiceError(
        'ROUTE_PAUSED',
        `The operator has stopped the quotes of this route: ${pause.reason}`,
        {
          metadata: { pausedAt: pause.pausedAt.toISOString() },
          retryAfterSeconds: 30,
        },
      )
    },
  }
}

const columns = (sql: ISql) => sql`route, reason, actor, paused_at as "pausedAt"`

/** The present stops, the oldest first. */
export function listPauses(sql: Sql): Promise<RoutePause[]> {
  return sql<RoutePause[]>`
    select ${columns(sql)} from app.transit_pause order by paused_at`
}

/** Stops the quotes of a route, or of all; again changes the reason. Audited with the actor. */
export function pauseRoute(
  administrator: Administrator,
  { route, reason }: { route: string; reason: string },
): Promise<RoutePause> {
  return audited(administrator, async (transaction) => {
    const [stopped] = await transaction<RoutePause[]>`
      insert into app.transit_pause (route, reason, actor)
      values (${route}, ${reason}, ${administrator.actor})
      on conflict (route) do update set reason = excluded.reason, actor = excluded.actor
      returning ${columns(transaction)}`
    if (!stopped) throw new Error('Invariant(routePauses): nothing was inserted')
    return {
      result: stopped,
      entry: {
        action: 'transit.pause',
        subject: route,
        organizationId: null,
        details: { reason },
      },
    }
  })
}

/** Ends the stop of a route, or the one of all routes. Throws `TRANSIT_STOP_NOT_FOUND`. Audited. */
export function resumeRoute(administrator: Administrator, route: string): Promise<RoutePause> {
  return audited(administrator, async (transaction) => {
    const [ended] = await transaction<RoutePause[]>`
      delete from app.transit_pause where route = ${route} returning ${columns(transaction)}`
    if (!ended) throw new ServiceError('TRANSIT_STOP_NOT_FOUND', `There is no stop of ${route}`)
    return {
      result: ended,
      entry: {
        action: 'transit.resume',
        subject: route,
        organizationId: null,
        details: { reason: ended.reason },
      },
    }
  })
}
