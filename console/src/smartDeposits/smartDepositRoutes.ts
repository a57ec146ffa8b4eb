import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from '../rootRoute.ts'
import { readDepositSearch } from './depositSearch.ts'

const list = createRoute({
  getParentRoute: () => root,
  path: '/console/smart-deposits',
  validateSearch: readDepositSearch,
  component: lazyRouteComponent(() => import('./SmartDepositsPage.tsx'), 'SmartDepositsPage'),
})
const deposit = createRoute({
  getParentRoute: () => root,
  path: '/console/smart-deposits/$depositId',
  component: lazyRouteComponent(() => import('./DepositPage.tsx'), 'DepositPage'),
})
const address = createRoute({
  getParentRoute: () => root,
  path: '/console/smart-deposits/addresses/$address',
  component: lazyRouteComponent(() => import('./AddressPage.tsx'), 'AddressPage'),
})

/** The pages of smart deposits. */
export const smartDepositRoutes = [list, deposit, address] as const
