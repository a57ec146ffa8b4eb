import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

/** The routes that orders can take now. */
export const listTransitRoutes = /* @__PURE__ */ list(api.listTransitRoutesOperation, 'routes')
/** Sums of the orders of each route by time. */
export const listTransitStats = /* @__PURE__ */ list(api.listTransitStatsOperation, 'transitStats')
/** The approvals of routes on the stations, as they were given and withdrawn. */
export const listTransitRouteApprovals = /* @__PURE__ */ list(
  api.listTransitRouteApprovalsOperation,
  'routeApprovals',
)
/** The ways in which the station may take a token of this account. */
export const getTransitAuthorization = /* @__PURE__ */ action(api.getAuthorizationOperation)
/** An order by its id. */
export const getTransitOrder = /* @__PURE__ */ action(api.getTransitOrderOperation, {
  key: 'order',
})
/** Orders, newest first. */
export const listTransitOrders = /* @__PURE__ */ list(api.listTransitOrdersOperation, 'orders')
/** A transaction that may submit orders, read from a node before the index has it. */
export const getTransitSubmission = /* @__PURE__ */ action(api.getTransitSubmissionOperation, {
  key: 'submission',
})
