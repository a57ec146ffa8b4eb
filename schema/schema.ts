import './scalars.ts'
import './meta.ts'
import './transit/authorization.ts'
import './transit/order.ts'
import './transit/orderSubscription.ts'
import './transit/orders.ts'
import './transit/quote.ts'
import './transit/routeApprovals.ts'
import './transit/routes.ts'
import { builder } from './builder.ts'

/** The one GraphQL schema; every file that registers a root field is imported above. */
export const schema = builder.toSchema()
