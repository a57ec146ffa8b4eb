import * as access from '../actions/access.ts'
import * as admin from '../actions/admin.ts'
import * as core from '../actions/core.ts'
import * as earn from '../actions/earn.ts'
import * as events from '../actions/events.ts'
import * as journeys from '../actions/journeys.ts'
import * as members from '../actions/members.ts'
import * as smartDeposits from '../actions/smartDeposits.ts'
import * as transit from '../actions/transit.ts'
import * as webhooks from '../actions/webhooks.ts'
import { getUserPosition } from './getUserPosition.ts'
import { listFactory, readFactory } from './readFactory.ts'

// Each name begins the keys of its queries after the URL, as `transit.orders`.

export const chainsOptions = /* @__PURE__ */ readFactory('core.chains', core.listChains)
export const capabilitiesOptions = /* @__PURE__ */ readFactory(
  'core.capabilities',
  core.listCapabilities,
)
export const tokensOptions = /* @__PURE__ */ listFactory('core.tokens', core.listTokens)
export const healthOptions = /* @__PURE__ */ readFactory('core.health', core.getHealth)

export const transitRoutesOptions = /* @__PURE__ */ listFactory(
  'transit.routes',
  transit.listTransitRoutes,
)
export const transitStatsOptions = /* @__PURE__ */ listFactory(
  'transit.stats',
  transit.listTransitStats,
)
export const transitRouteApprovalsOptions = /* @__PURE__ */ listFactory(
  'transit.routeApprovals',
  transit.listTransitRouteApprovals,
)
export const transitAuthorizationOptions = /* @__PURE__ */ readFactory(
  'transit.authorization',
  transit.getTransitAuthorization,
)
export const transitOrderOptions = /* @__PURE__ */ readFactory(
  'transit.order',
  transit.getTransitOrder,
)
export const transitOrdersOptions = /* @__PURE__ */ listFactory(
  'transit.orders',
  transit.listTransitOrders,
)
export const transitSubmissionOptions = /* @__PURE__ */ readFactory(
  'transit.submission',
  transit.getTransitSubmission,
)

export const vaultsOptions = /* @__PURE__ */ listFactory('earn.vaults', earn.listVaults)
export const vaultAssetsOptions = /* @__PURE__ */ listFactory(
  'earn.vaultAssets',
  earn.listVaultAssets,
)
export const supplyCapsOptions = /* @__PURE__ */ listFactory('earn.supplyCaps', earn.listSupplyCaps)
export const vaultCompositionsOptions = /* @__PURE__ */ listFactory(
  'earn.vaultCompositions',
  earn.listVaultCompositions,
)
export const vaultApysOptions = /* @__PURE__ */ listFactory('earn.vaultApys', earn.listVaultApys)
export const vaultTvlsOptions = /* @__PURE__ */ listFactory('earn.vaultTvls', earn.listVaultTvls)
export const positionsOptions = /* @__PURE__ */ listFactory(
  'earn.positions',
  earn.listUserPositions,
)
/** The position of a user in one deployment of a vault; null without one. */
export const positionOptions = /* @__PURE__ */ readFactory('earn.position', getUserPosition)
/** The activity of a user or a vault, newest first. The filter needs a user or a vault. */
export const activityOptions = /* @__PURE__ */ listFactory('earn.activity', earn.listActivity)
export const withdrawalRequestOptions = /* @__PURE__ */ readFactory(
  'earn.withdrawalRequest',
  earn.getWithdrawalRequest,
)
export const withdrawalRequestsOptions = /* @__PURE__ */ listFactory(
  'earn.withdrawalRequests',
  earn.listWithdrawalRequests,
)
export const withdrawalVolumesOptions = /* @__PURE__ */ listFactory(
  'earn.withdrawalVolumes',
  earn.listWithdrawalVolumes,
)
export const liquidityShortfallsOptions = /* @__PURE__ */ listFactory(
  'earn.liquidityShortfalls',
  earn.listLiquidityShortfalls,
)
export const withdrawAssetsOptions = /* @__PURE__ */ readFactory(
  'earn.withdrawAssets',
  earn.getWithdrawAssets,
)
export const withdrawalFeeOptions = /* @__PURE__ */ readFactory(
  'earn.withdrawalFee',
  earn.calculateWithdrawalFee,
)
export const depositAuthorizationOptions = /* @__PURE__ */ readFactory(
  'earn.authorization',
  earn.getDepositAuthorization,
)

export const journeyOptions = /* @__PURE__ */ readFactory('earn.journey', journeys.getJourney)
export const journeysOptions = /* @__PURE__ */ listFactory('earn.journeys', journeys.listJourneys)
export const smartDepositOptions = /* @__PURE__ */ readFactory(
  'smartDeposits.deposit',
  smartDeposits.getSmartDeposit,
)
export const smartDepositsOptions = /* @__PURE__ */ listFactory(
  'smartDeposits.deposits',
  smartDeposits.listSmartDeposits,
)
export const smartDepositAddressesOptions = /* @__PURE__ */ listFactory(
  'smartDeposits.addresses',
  smartDeposits.listSmartDepositAddresses,
)

export const eventsOptions = /* @__PURE__ */ listFactory('events', events.listEvents)
export const webhookEndpointsOptions = /* @__PURE__ */ listFactory(
  'webhooks.endpoints',
  webhooks.listWebhookEndpoints,
)
export const webhookEndpointOptions = /* @__PURE__ */ readFactory(
  'webhooks.endpoint',
  webhooks.getWebhookEndpoint,
)
export const webhookAttemptsOptions = /* @__PURE__ */ readFactory(
  'webhooks.attempts',
  webhooks.listWebhookAttempts,
)
export const webhookFiguresOptions = /* @__PURE__ */ readFactory(
  'webhooks.figures',
  webhooks.getWebhookFigures,
)
export const webhookReplayOptions = /* @__PURE__ */ readFactory(
  'webhooks.replay',
  webhooks.getWebhookReplay,
)
export const webhookDeliveriesOptions = /* @__PURE__ */ listFactory(
  'webhooks.deliveries',
  webhooks.listWebhookDeliveries,
)

export const apiKeysOptions = /* @__PURE__ */ listFactory('access.keys', access.listApiKeys)
export const apiUsageOptions = /* @__PURE__ */ listFactory('access.usage', access.listApiUsage)
export const requestLogOptions = /* @__PURE__ */ listFactory(
  'access.requests',
  access.listRequestLog,
)

export const membersOptions = /* @__PURE__ */ listFactory('access.members', members.listMembers)
export const invitationsOptions = /* @__PURE__ */ listFactory(
  'access.invitations',
  members.listInvitations,
)
export const auditLogOptions = /* @__PURE__ */ listFactory('access.auditLog', members.listAuditLog)

export const organizationsOptions = /* @__PURE__ */ listFactory(
  'admin.organizations',
  admin.listOrganizations,
)
export const organizationMembersOptions = /* @__PURE__ */ listFactory(
  'admin.organizationMembers',
  admin.listOrganizationMembers,
)
export const operatorsOptions = /* @__PURE__ */ listFactory('admin.operators', admin.listOperators)
export const completeAuditLogOptions = /* @__PURE__ */ listFactory(
  'admin.auditLog',
  admin.listCompleteAuditLog,
)
export const transitStopsOptions = /* @__PURE__ */ listFactory(
  'admin.transitStops',
  admin.listTransitStops,
)
export const indexBuildsOptions = /* @__PURE__ */ listFactory(
  'admin.indexBuilds',
  admin.listIndexBuilds,
)
export const keepersOptions = /* @__PURE__ */ listFactory('admin.keepers', admin.listKeepers)
export const rehearsalOptions = /* @__PURE__ */ readFactory('admin.rehearsal', admin.getRehearsal)
