/** The permissions of API keys: people alone have the others (docs/design/access-keys-and-limits.md). */
export const KEY_PERMISSIONS = [
  'earn:read',
  'earn:prepare',
  'smart-deposits',
  'smart-deposits:refund',
  'webhooks',
  'keys',
] as const

/** All permissions; a constraint in the migrations has the same list. */
export const PERMISSIONS = [...KEY_PERMISSIONS, 'members', 'admin'] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * The permission that each GraphQL root field needs, and with it every REST route whose document uses the
 * field. Null is open to all. A process does not start if a root field is missing here.
 */
const FIELD_PERMISSIONS = {
  _meta: null,
  capabilities: null,
  chains: null,
  tokens: null,
  transitAuthorization: null,
  transitOrder: null,
  transitOrderQuote: null,
  transitOrders: null,
  transitRouteApprovals: null,
  transitRoutes: null,
  transitSubmission: null,
  transitStats: null,
  withdrawAssets: null,

  activity: 'earn:read',
  amplifySdkConfigs: 'earn:read',
  liquidityShortfalls: 'earn:read',
  supplyCaps: 'earn:read',
  userPositions: 'earn:read',
  vaultApys: 'earn:read',
  vaultAssets: 'earn:read',
  vaultCompositions: 'earn:read',
  vaultTvls: 'earn:read',
  vaults: 'earn:read',
  withdrawalFee: 'earn:read',
  withdrawalRequest: 'earn:read',
  withdrawalRequests: 'earn:read',
  withdrawalVolumes: 'earn:read',

  // Fields that answer calldata or data to sign.
  cancelWithdrawal: 'earn:prepare',
  deposit: 'earn:prepare',
  depositAuthorization: 'earn:prepare',
  withdraw: 'earn:prepare',

  journey: 'smart-deposits',
  journeyQuote: 'smart-deposits',
  journeys: 'smart-deposits',
  registerSmartDepositAddress: 'smart-deposits',
  smartDeposit: 'smart-deposits',
  smartDepositAddresses: 'smart-deposits',
  smartDepositWithdrawal: 'smart-deposits',
  smartDeposits: 'smart-deposits',

  refundSmartDeposit: 'smart-deposits:refund',

  cancelWebhookReplay: 'webhooks',
  createWebhookEndpoint: 'webhooks',
  deleteWebhookEndpoint: 'webhooks',
  events: 'webhooks',
  pingWebhookEndpoint: 'webhooks',
  redeliverWebhook: 'webhooks',
  rotateWebhookSecret: 'webhooks',
  startWebhookReplay: 'webhooks',
  testWebhookEndpoint: 'webhooks',
  updateWebhookEndpoint: 'webhooks',
  webhookAttempts: 'webhooks',
  webhookDeliveries: 'webhooks',
  webhookEndpoint: 'webhooks',
  webhookEndpoints: 'webhooks',
  webhookFigures: 'webhooks',
  webhookReplay: 'webhooks',

  apiKeys: 'keys',
  apiUsage: 'keys',
  createApiKey: 'keys',
  renameApiKey: 'keys',
  requestLog: 'keys',
  revokeApiKey: 'keys',
  rotateApiKey: 'keys',

  auditLog: 'members',
  changeMemberRole: 'members',
  invitations: 'members',
  inviteMember: 'members',
  members: 'members',
  removeMember: 'members',
  revokeInvitation: 'members',

  completeAuditLog: 'admin',
  createOrganization: 'admin',
  indexBuilds: 'admin',
  keepers: 'admin',
  openTransitRoute: 'admin',
  operators: 'admin',
  organizationMembers: 'admin',
  organizations: 'admin',
  rehearsal: 'admin',
  stopTransitRoute: 'admin',
  transitStops: 'admin',
  updateOrganization: 'admin',
} as const satisfies Record<string, Permission | null>

/** The permission that a root field needs; null for an open one. Throws for an unlisted field. */
export function permissionOf(field: string): Permission | null {
  if (!Object.hasOwn(FIELD_PERMISSIONS, field))
    throw new Error(`Invariant(permissions): the root field ${field} is not listed`)
  return FIELD_PERMISSIONS[field as keyof typeof FIELD_PERMISSIONS] // It is a key, as checked above.
}

/** Root fields whose answer holds a secret that is shown once. */
const SECRET_FIELDS = [
  'createApiKey',
  'createWebhookEndpoint',
  'inviteMember',
  'rotateApiKey',
  'rotateWebhookSecret',
]

/** Whether the answer of a root field shows a secret. */
export function showsSecret(field: string): boolean {
  return SECRET_FIELDS.includes(field)
}
