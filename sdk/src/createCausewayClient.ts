import * as access from './actions/access.ts'
import * as admin from './actions/admin.ts'
import * as core from './actions/core.ts'
import * as earn from './actions/earn.ts'
import { listEvents } from './actions/events.ts'
import { getIndicativeTransitQuote, getTransitQuote } from './actions/getTransitQuote.ts'
import * as journeys from './actions/journeys.ts'
import * as members from './actions/members.ts'
import * as smartDeposits from './actions/smartDeposits.ts'
import * as transit from './actions/transit.ts'
import * as webhooks from './actions/webhooks.ts'
import { type Bound, bindActions } from './bindActions.ts'
import {
  type Connection,
  type ConnectionOptions,
  createConnection,
} from './connection/connection.ts'
import { cancelWithdrawal } from './flows/cancelWithdrawal.ts'
import { depositFrom } from './flows/depositFrom.ts'
import { depositIntoVault } from './flows/depositIntoVault.ts'
import { registerSmartDepositAddress } from './flows/registerDepositAddress.ts'
import { sendTransitOrder } from './flows/sendTransitOrder.ts'
import { withdrawFromVault } from './flows/withdrawFromVault.ts'
import { waitForWithdrawal } from './watch/waitForWithdrawal.ts'
import { waitForJourney, watchJourney } from './watch/watchJourney.ts'
import { waitForSmartDeposit, watchSmartDeposit } from './watch/watchSmartDeposit.ts'
import {
  followTransitOrder,
  waitForTransitOrder,
  watchTransitOrder,
} from './watch/watchTransitOrder.ts'

const transitActions = {
  routes: transit.listTransitRoutes,
  stats: transit.listTransitStats,
  routeApprovals: transit.listTransitRouteApprovals,
  authorization: transit.getTransitAuthorization,
  quote: getTransitQuote,
  indicativeQuote: getIndicativeTransitQuote,
  order: transit.getTransitOrder,
  orders: transit.listTransitOrders,
  submission: transit.getTransitSubmission,
  send: sendTransitOrder,
  follow: followTransitOrder,
  watch: watchTransitOrder,
  wait: waitForTransitOrder,
}

const earnActions = {
  vaults: earn.listVaults,
  vaultAssets: earn.listVaultAssets,
  supplyCaps: earn.listSupplyCaps,
  vaultCompositions: earn.listVaultCompositions,
  vaultApys: earn.listVaultApys,
  vaultTvls: earn.listVaultTvls,
  userPositions: earn.listUserPositions,
  withdrawalRequest: earn.getWithdrawalRequest,
  withdrawalRequests: earn.listWithdrawalRequests,
  activity: earn.listActivity,
  withdrawalVolumes: earn.listWithdrawalVolumes,
  liquidityShortfalls: earn.listLiquidityShortfalls,
  withdrawAssets: earn.getWithdrawAssets,
  authorization: earn.getDepositAuthorization,
  withdrawalFee: earn.calculateWithdrawalFee,
  deposit: depositIntoVault,
  depositFrom,
  journey: journeys.getJourney,
  journeys: journeys.listJourneys,
  watchJourney,
  waitForJourney,
  withdraw: withdrawFromVault,
  cancel: cancelWithdrawal,
  wait: waitForWithdrawal,
  prepareDeposit: earn.prepareDeposit,
  prepareWithdrawal: earn.prepareWithdrawal,
  prepareCancellation: earn.prepareCancellation,
}

const smartDepositActions = {
  register: registerSmartDepositAddress,
  addresses: smartDeposits.listSmartDepositAddresses,
  deposit: smartDeposits.getSmartDeposit,
  watch: watchSmartDeposit,
  wait: waitForSmartDeposit,
  deposits: smartDeposits.listSmartDeposits,
}

const webhookActions = {
  create: webhooks.createWebhookEndpoint,
  endpoints: webhooks.listWebhookEndpoints,
  endpoint: webhooks.getWebhookEndpoint,
  update: webhooks.updateWebhookEndpoint,
  delete: webhooks.deleteWebhookEndpoint,
  rotateSecret: webhooks.rotateWebhookSecret,
  ping: webhooks.pingWebhookEndpoint,
  test: webhooks.testWebhookEndpoint,
  deliveries: webhooks.listWebhookDeliveries,
  attempts: webhooks.listWebhookAttempts,
  redeliver: webhooks.redeliverWebhook,
  figures: webhooks.getWebhookFigures,
  startReplay: webhooks.startWebhookReplay,
  replay: webhooks.getWebhookReplay,
  cancelReplay: webhooks.cancelWebhookReplay,
}

const accessActions = {
  keys: access.listApiKeys,
  createKey: access.createApiKey,
  renameKey: access.renameApiKey,
  rotateKey: access.rotateApiKey,
  revokeKey: access.revokeApiKey,
  usage: access.listApiUsage,
  requests: access.listRequestLog,
  members: members.listMembers,
  changeRole: members.changeMemberRole,
  removeMember: members.removeMember,
  invitations: members.listInvitations,
  invite: members.inviteMember,
  revokeInvitation: members.revokeInvitation,
  auditLog: members.listAuditLog,
}

const adminActions = {
  organizations: admin.listOrganizations,
  createOrganization: admin.createOrganization,
  updateOrganization: admin.updateOrganization,
  organizationMembers: admin.listOrganizationMembers,
  operators: admin.listOperators,
  auditLog: admin.listCompleteAuditLog,
  transitStops: admin.listTransitStops,
  stopRoute: admin.stopTransitRoute,
  openRoute: admin.openTransitRoute,
  indexBuilds: admin.listIndexBuilds,
  keepers: admin.listKeepers,
  rehearsal: admin.getRehearsal,
}

const eventActions = { list: listEvents }
const coreActions = {
  capabilities: core.listCapabilities,
  chains: core.listChains,
  tokens: core.listTokens,
  health: core.getHealth,
  ready: core.getReady,
  graphql: core.runGraphql,
}

/** A connection with every function of the SDK, by the nouns of the API. */
export type CausewayClient = Connection & {
  transit: Bound<typeof transitActions>
  earn: Bound<typeof earnActions>
  smartDeposits: Bound<typeof smartDepositActions>
  webhooks: Bound<typeof webhookActions>
  events: Bound<typeof eventActions>
  access: Bound<typeof accessActions>
  admin: Bound<typeof adminActions>
  core: Bound<typeof coreActions>
}

/** The client of one installation of Causeway. */
export function createCausewayClient(options: ConnectionOptions): CausewayClient {
  const connection = createConnection(options)
  return {
    ...connection,
    transit: bindActions(connection, transitActions),
    earn: bindActions(connection, earnActions),
    smartDeposits: bindActions(connection, smartDepositActions),
    webhooks: bindActions(connection, webhookActions),
    events: bindActions(connection, eventActions),
    access: bindActions(connection, accessActions),
    admin: bindActions(connection, adminActions),
    core: bindActions(connection, coreActions),
  }
}
