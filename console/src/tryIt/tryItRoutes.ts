import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../rootRoute.ts'
import { JOURNEYS, type JourneyName } from './journeyName.ts'

const tryIt = createRoute({
  getParentRoute: () => root,
  path: '/console/try',
  validateSearch: ({ journey }: Record<string, unknown>): { journey?: JourneyName } => {
    const found = JOURNEYS.find((one) => one === journey)
    return found ? { journey: found } : {}
  },
  component: lazyRouteComponent(() => import('./TryItPage.tsx'), 'TryItPage'),
})

/** The page of guided journeys. */
export const tryItRoutes = [tryIt] as const
