import type { RequestScope, SharedServices } from '../context.ts'
import type { OrderLookup } from './orders/orderLookup.ts'
import type { OrderReads } from './orders/orderReads.ts'
import type { OrderWatch } from './orders/orderWatch.ts'
import type { ExecutionCosts } from './quotes/executionCosts.ts'
import type { QuoteSigner } from './quotes/quoteSigner.ts'
import type { StationStates } from './quotes/stationStates.ts'
import type { RouteLatencies } from './routes/routeLatencies.ts'

export type TransitServices = SharedServices & {
  orderLookup: OrderLookup
  orderReads: OrderReads
  orderWatch: OrderWatch
  stations: StationStates
  executionCosts: ExecutionCosts
  routeLatencies: RouteLatencies
  /** Null where this server has no key: then it quotes nothing. */
  quoteSigner: QuoteSigner | null
}

export type TransitContext = TransitServices & RequestScope
