import type { RequestScope, SharedServices } from '../context.ts'
import type { PriceFeeds } from '../price/priceFeeds.ts'
import type { TokenBlocks } from '../token/tokenBlocks.ts'
import type { OrderWatch } from './orders/orderWatch.ts'
import type { ReadOrder } from './orders/readOrders.ts'
import type { UnindexedOrders } from './orders/unindexedOrders.ts'
import type { RouteLatencies } from './routes/routeLatencies.ts'
import type { GuardedQuoteSigner } from './signing/quoteSigner.ts'
import type { RoutePauses } from './signing/routePauses.ts'
import type { StatsLatencies } from './stats/statsLatencies.ts'
import type { ExecutionCosts } from './terms/executionCosts.ts'
import type { StationStates } from './terms/stationStates.ts'
import type { SentTransactions } from './transactions/sentTransactions.ts'

export type TransitServices = SharedServices & {
  unindexedOrders: UnindexedOrders
  sentTransactions: SentTransactions
  readOrder: ReadOrder
  orderWatch: OrderWatch
  stations: StationStates
  priceFeeds: PriceFeeds
  tokenBlocks: TokenBlocks
  executionCosts: ExecutionCosts
  routeLatencies: RouteLatencies
  statsLatencies: StatsLatencies
  routePauses: RoutePauses
  /** Null where this server has no key: then it quotes nothing. */
  quoteSigner: GuardedQuoteSigner | null
}

export type TransitContext = TransitServices & RequestScope
