import { action } from '../connection/action.ts'
import { list } from '../connection/list.ts'
import * as api from '../generated/operations.ts'

// Only for callers with the permission `admin`.

export const listOrganizations = /* @__PURE__ */ list(
  api.listOrganizationsOperation,
  'organizations',
)
export const createOrganization = /* @__PURE__ */ action(api.createOrganizationOperation, {
  key: 'organization',
})
export const updateOrganization = /* @__PURE__ */ action(api.updateOrganizationOperation, {
  key: 'organization',
})
export const listOrganizationMembers = /* @__PURE__ */ list(
  api.listOrganizationMembersOperation,
  'members',
)
export const listOperators = /* @__PURE__ */ list(api.listOperatorsOperation, 'members')
/** The changes in all organizations and by operators, the newest first. */
export const listCompleteAuditLog = /* @__PURE__ */ list(
  api.listCompleteAuditLogOperation,
  'actions',
)
export const listTransitStops = /* @__PURE__ */ list(api.listTransitStopsOperation, 'stops')
/** Stops the quotes of a route, or of all routes without its ends. */
export const stopTransitRoute = /* @__PURE__ */ action(api.stopTransitRouteOperation, {
  key: 'stop',
})
export const openTransitRoute = /* @__PURE__ */ action(api.openTransitRouteOperation, {
  key: 'stop',
})
export const listIndexBuilds = /* @__PURE__ */ list(api.listIndexBuildsOperation, 'indexBuilds')
export const getRehearsal = /* @__PURE__ */ action(api.getRehearsalOperation, { key: 'rehearsal' })
export const listKeepers = /* @__PURE__ */ list(api.listKeepersOperation, 'keepers')
