/** What a key can be allowed; the migrations constrain stored keys to the same. */
export const PERMISSIONS = ['earn:read', 'earn:prepare', 'smart-deposits', 'webhooks'] as const
export type Permission = (typeof PERMISSIONS)[number]

/**
 * The one table of who may do what: the permission that each GraphQL root field needs, and with it
 * every REST route whose document asks for it. Null is open to all. A root field that is missing here
 * keeps the process from starting.
 */
const FIELD_PERMISSIONS = {
  _meta: null,
  transitAuthorization: null,
  transitOrder: null,
  transitOrderQuote: null,
  transitOrders: null,
  transitRouteApprovals: null,
  transitRoutes: null,

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

  // What answers calldata or what to sign.
  cancelWithdrawal: 'earn:prepare',
  deposit: 'earn:prepare',
  depositAuthorization: 'earn:prepare',
  withdraw: 'earn:prepare',

  registerSmartDepositAddress: 'smart-deposits',
  smartDeposit: 'smart-deposits',
  smartDepositAddresses: 'smart-deposits',
  smartDeposits: 'smart-deposits',
  createWebhookEndpoint: 'webhooks',
  deleteWebhookEndpoint: 'webhooks',
  events: 'webhooks',
  pingWebhookEndpoint: 'webhooks',
  redeliverWebhook: 'webhooks',
  rotateWebhookSecret: 'webhooks',
  updateWebhookEndpoint: 'webhooks',
  webhookDeliveries: 'webhooks',
  webhookEndpoint: 'webhooks',
  webhookEndpoints: 'webhooks',
} as const satisfies Record<string, Permission | null>

/** The permission that a root field needs; null for an open one. Throws for one that the table lacks. */
export function permissionOf(field: string): Permission | null {
  if (!Object.hasOwn(FIELD_PERMISSIONS, field))
    throw new Error(`Invariant(permissions): no line for the root field ${field}`)
  return FIELD_PERMISSIONS[field as keyof typeof FIELD_PERMISSIONS]
}
