/** The names of an operation of the API in the SDK. */
export type SdkName = {
  operationId: string
  /** The exported function, where it has another name than the operation. */
  function?: string
  /** The query options, where they are not named after the function. Null for a read without them. */
  options?: string | null
  /** The whole answer is the result, also where one field is all of it. */
  isWhole?: true
  /** A sentence for users of the function, after the API's own words. */
  note?: string
}

/**
 * By group of the client and name in it: the one table of names. `sdkActions` makes the functions, the groups and the query
 * options of it. `getOrderQuote` has functions of its own, and `streamGraphql` is read by `follow`.
 */
export const SDK_NAMES: Record<string, Record<string, string | SdkName>> = {
  transit: {
    routes: 'listTransitRoutes',
    stats: 'listTransitStats',
    routeApprovals: 'listTransitRouteApprovals',
    authorization: { operationId: 'getAuthorization', function: 'getTransitAuthorization' },
    order: 'getTransitOrder',
    orders: 'listTransitOrders',
    submission: 'getTransitSubmission',
  },
  earn: {
    vaults: 'listVaults',
    vaultAssets: 'listVaultAssets',
    supplyCaps: 'listSupplyCaps',
    vaultCompositions: 'listVaultCompositions',
    vaultApys: 'listVaultApys',
    vaultTvls: 'listVaultTvls',
    userPositions: { operationId: 'listUserPositions', options: 'positions' },
    withdrawalRequest: 'getWithdrawalRequest',
    withdrawalRequests: 'listWithdrawalRequests',
    activity: 'listActivity',
    withdrawalVolumes: 'listWithdrawalVolumes',
    liquidityShortfalls: 'listLiquidityShortfalls',
    withdrawAssets: 'getWithdrawAssets',
    authorization: 'getDepositAuthorization',
    withdrawalFee: 'calculateWithdrawalFee',
    journey: 'getJourney',
    journeys: 'listJourneys',
    // Its query options follow the prices, and are by hand.
    journeyQuote: { operationId: 'getJourneyQuote', options: null },
    prepareDeposit: {
      operationId: 'deposit',
      function: 'prepareDeposit',
      note: '`depositIntoVault` does all of it.',
    },
    prepareWithdrawal: {
      operationId: 'withdraw',
      function: 'prepareWithdrawal',
      note: '`withdrawFromVault` does all of it.',
    },
    prepareCancellation: {
      operationId: 'cancelWithdrawal',
      function: 'prepareCancellation',
      isWhole: true,
      note: '`cancelWithdrawal` does all of it.',
    },
  },
  smartDeposits: {
    // The client and the package have the flow of this name, which checks the address.
    register: { operationId: 'registerSmartDepositAddress', isWhole: true },
    addresses: 'listSmartDepositAddresses',
    deposit: 'getSmartDeposit',
    deposits: 'listSmartDeposits',
    refund: 'refundSmartDeposit',
    prepareTakeBack: { operationId: 'prepareTakeBack', note: '`takeBack` does all of it.' },
  },
  webhooks: {
    create: 'createWebhookEndpoint',
    endpoints: 'listWebhookEndpoints',
    endpoint: 'getWebhookEndpoint',
    update: 'updateWebhookEndpoint',
    delete: 'deleteWebhookEndpoint',
    rotateSecret: 'rotateWebhookSecret',
    ping: 'pingWebhookEndpoint',
    test: 'testWebhookEndpoint',
    deliveries: 'listWebhookDeliveries',
    attempts: 'listWebhookAttempts',
    redeliver: 'redeliverWebhook',
    figures: 'getWebhookFigures',
    startReplay: 'startWebhookReplay',
    replay: 'getWebhookReplay',
    cancelReplay: 'cancelWebhookReplay',
  },
  events: { list: 'listEvents' },
  access: {
    keys: 'listApiKeys',
    createKey: 'createApiKey',
    renameKey: 'renameApiKey',
    rotateKey: 'rotateApiKey',
    revokeKey: 'revokeApiKey',
    usage: 'listApiUsage',
    requests: 'listRequestLog',
    members: 'listMembers',
    changeRole: 'changeMemberRole',
    removeMember: 'removeMember',
    invitations: 'listInvitations',
    invite: 'inviteMember',
    revokeInvitation: 'revokeInvitation',
    auditLog: 'listAuditLog',
  },
  admin: {
    organizations: 'listOrganizations',
    createOrganization: 'createOrganization',
    updateOrganization: 'updateOrganization',
    organizationMembers: 'listOrganizationMembers',
    operators: 'listOperators',
    auditLog: 'listCompleteAuditLog',
    transitStops: 'listTransitStops',
    stopRoute: 'stopTransitRoute',
    openRoute: 'openTransitRoute',
    indexBuilds: 'listIndexBuilds',
    keepers: 'listKeepers',
    rehearsal: 'getRehearsal',
  },
  core: {
    capabilities: 'listCapabilities',
    chains: 'listChains',
    tokens: 'listTokens',
    health: 'getHealth',
    // The state of one process, which no page shows.
    ready: { operationId: 'getReady', options: null },
    graphql: 'runGraphql',
  },
}
