import { z } from 'zod'
import type { AppContext } from '../../domain/appContext.ts'
import type { Reason } from '../../domain/error/reason.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import type { ResourceWatch } from '../../domain/watch/resourceWatch.ts'
import type { RouteWait } from './route.ts'

const MAX_WAIT_SECONDS = 30
const WAIT_EXPECTED = `expected an integer from 0 to ${MAX_WAIT_SECONDS}`

/** The parameter of routes with a `wait`. */
export const waitSeconds = z
  .string()
  .regex(/^\d{1,9}$/, WAIT_EXPECTED)
  .transform(Number)
  .pipe(z.number().int().min(0).max(MAX_WAIT_SECONDS, WAIT_EXPECTED))
  .optional()
  .describe(
    'Seconds for which the request may be held until there is news: a state that `If-None-Match` does not name or, without that header, the resource itself.',
  )

type WaitedResource<Args, Id, WatchedId, Resource> = {
  /** The id in the arguments of the root field. */
  idOf(args: Args): Id
  /** Throws a `ServiceError` where there is none. */
  read(context: AppContext, id: Id): Promise<Resource>
  watch(context: AppContext): ResourceWatch<WatchedId, Resource>
  /** The id under which the watch knows it. */
  watchedId(context: AppContext, id: Id): WatchedId
  /** Failures that may pass while the request waits. */
  passing: Reason[]
}

/** How a route of one resource waits for its changes. */
export function resourceWait<Args, Id, WatchedId, Resource>({
  read,
  watch,
  watchedId,
  passing,
  ...resource
}: WaitedResource<Args, Id, WatchedId, Resource>): RouteWait {
  // Cast, because the values are those of the route's own parameters.
  const idOf = (args: Record<string, unknown>) => resource.idOf(args as Args)
  return {
    passing,
    version: (context, args) =>
      read(context, idOf(args)).then(watch(context).version, (error: unknown) => {
        if (error instanceof ServiceError) return null
        throw error
      }),
    next: (context, args, { seen, ...options }) =>
      watch(context).next(watchedId(context, idOf(args)), seen, options),
  }
}
