/** The wire statuses of the specification. */
export type ErrorStatus =
  | 'UNKNOWN'
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'UNAUTHENTICATED'
  | 'RESOURCE_EXHAUSTED'
  | 'INTERNAL'
  | 'METHOD_NOT_ALLOWED'

type ReasonEntry = { code: number; status: ErrorStatus; meaning: string }

const badRequest = { code: 400, status: 'INVALID_ARGUMENT' } as const
const unavailable = { code: 503, status: 'INTERNAL' } as const

/**
 * Every reason an answer can fail for: the closed list that clients may branch on.
 * A new one needs its line here and nothing else; docs/errors.md is generated from it.
 */
export const REASONS = {
  INVALID_FIELD: { ...badRequest, meaning: 'one or more fields are missing or malformed' },
  INVALID_FILTER: {
    ...badRequest,
    meaning: 'the filter expression does not parse or does not fit',
  },
  INVALID_PAGE_TOKEN: {
    ...badRequest,
    meaning: 'the page token is forged, malformed, or of another list, filter or order',
  },
  INVALID_GRAPHQL: {
    ...badRequest,
    meaning: 'the GraphQL document does not parse, validate or fit its limits',
  },
  OPERATION_TOO_COSTLY: {
    ...badRequest,
    meaning: 'the GraphQL operation costs too many points; metadata: `cost`, `maximum`',
  },
  MALFORMED_JSON: { ...badRequest, meaning: 'the request body is not JSON' },
  MALFORMED_REQUEST: { ...badRequest, meaning: 'the bytes of the request are not valid HTTP' },
  UNSUPPORTED_CONTENT_TYPE: {
    ...badRequest,
    meaning: 'a POST needs Content-Type: application/json',
  },
  REQUEST_TOO_LARGE: {
    ...badRequest,
    meaning: 'the body, the headers or the URL exceed their limit',
  },
  KEY_IN_QUERY: {
    ...badRequest,
    meaning: 'an API key belongs in the x-api-key header, never in the URL',
  },
  SUBSCRIPTION_NEEDS_STREAM: {
    ...badRequest,
    meaning: 'subscriptions are served at /graphql/stream over server-sent events',
  },
  BELOW_MIN_ORDER_SIZE: {
    ...badRequest,
    meaning:
      'the offer is below what the route or the queue takes now; metadata: `minOrderSize`, `asset`',
  },
  ABOVE_MAX_ORDER_SIZE: {
    ...badRequest,
    meaning: 'the offer is above what the route takes; metadata: `maxOrderSize`, `asset`',
  },
  QUOTE_FEE_TOO_HIGH: {
    ...badRequest,
    meaning: 'the station takes no such integrator fee of this offer; metadata: `maxIntegratorFee`',
  },
  APPROVAL_REFUSED: { ...badRequest, meaning: 'the token lets this user approve nothing' },
  VAULT_DEPRECATED: {
    ...badRequest,
    meaning: 'the deployment takes no deposits any more; metadata: `vault`, `chainId`',
  },
  ASSET_NOT_DEPOSITABLE: {
    ...badRequest,
    meaning: 'the vault does not take this asset; metadata: `asset`',
  },
  ASSET_NOT_WITHDRAWABLE: {
    ...badRequest,
    meaning: 'the vault does not give this asset; metadata: `asset`',
  },
  DEPOSIT_TOO_SMALL: {
    ...badRequest,
    meaning: 'the fee would take all of the deposit, or it would mint no share; metadata: `fee`',
  },
  WITHDRAWAL_TOO_SMALL: {
    ...badRequest,
    meaning: 'the fee would take all of the order: the queue would refund it; metadata: `fee`',
  },
  SUPPLY_CAP_EXCEEDED: {
    ...badRequest,
    meaning:
      'the deposit is more than the cap leaves; metadata: `remainingInBase`, `supplyCapInBase`, in base units of the base token',
  },
  ACCOUNT_FROZEN: {
    ...badRequest,
    meaning: 'the vault, or the issuer of the asset, has blocked an account; metadata: `account`',
  },
  ATTESTATION_REFUSED: {
    ...badRequest,
    meaning: 'the account, or who gets the shares, may not; metadata: `account`, `receiver`',
  },
  INTENDED_DEPOSITOR_NOT_SENDER: {
    ...badRequest,
    meaning: 'the queue accepts a withdrawal request only from its sender',
  },
  RECEIVER_REFUSES_RECEIPT: {
    ...badRequest,
    meaning: "the receiver is a contract that does not accept the queue's receipt",
  },
  WITHDRAWAL_NOT_PENDING: {
    ...badRequest,
    meaning:
      "only pending orders can be cancelled; metadata: `status`, `cancellableBy` (the receipt's holder)",
  },
  SIMULATION_FAILED: {
    ...badRequest,
    meaning: 'the chain would refuse the transaction; metadata: `error`, and its arguments',
  },
  WEBHOOK_ENDPOINT_LIMIT: {
    ...badRequest,
    meaning: 'the organization has as many webhook endpoints as it may; metadata: `limit`',
  },
  WEBHOOK_ENDPOINT_DISABLED: {
    ...badRequest,
    meaning: 'the webhook endpoint is disabled: enable it first',
  },
  UNAUTHENTICATED: {
    code: 401,
    status: 'UNAUTHENTICATED',
    meaning:
      'this needs an API key and none was sent, or the one that was is malformed, unknown, revoked or expired',
  },
  PERMISSION_DENIED: {
    code: 403,
    status: 'PERMISSION_DENIED',
    meaning: 'the API key lacks a permission; metadata: `permission`',
  },
  RATE_LIMITED: {
    code: 429,
    status: 'RESOURCE_EXHAUSTED',
    meaning:
      'you have asked too much this minute; Retry-After says when to go on; metadata: `class`, `limit`, `windowSeconds`',
  },
  PATH_NOT_FOUND: { code: 404, status: 'NOT_FOUND', meaning: 'no such path' },
  ORDER_NOT_FOUND: {
    code: 404,
    status: 'NOT_FOUND',
    meaning: 'no order with this id on any chain',
  },
  ROUTE_NOT_FOUND: {
    code: 404,
    status: 'NOT_FOUND',
    meaning: 'no approved route for these assets and chains',
  },
  VAULT_NOT_FOUND: {
    code: 404,
    status: 'NOT_FOUND',
    meaning: 'no such vault on this chain',
  },
  WITHDRAWAL_REQUEST_NOT_FOUND: {
    code: 404,
    status: 'NOT_FOUND',
    meaning: "the vault's queue has no withdrawal request with this index",
  },
  SMART_DEPOSIT_NOT_FOUND: {
    code: 404,
    status: 'NOT_FOUND',
    meaning: 'no smart deposit of this id that your organization was told of',
  },
  WEBHOOK_ENDPOINT_NOT_FOUND: {
    code: 404,
    status: 'NOT_FOUND',
    meaning: 'the organization has no webhook endpoint with this id',
  },
  WEBHOOK_DELIVERY_NOT_FOUND: {
    code: 404,
    status: 'NOT_FOUND',
    meaning: 'the webhook endpoint has no delivery of this event',
  },
  METHOD_NOT_ALLOWED: {
    code: 405,
    status: 'METHOD_NOT_ALLOWED',
    meaning: 'the path exists, but not with this method; see the Allow header',
  },
  NOT_YET_INDEXED: {
    ...unavailable,
    meaning: 'the order is on chain; the index has not reached it yet',
  },
  INDEX_CATCHING_UP: {
    ...unavailable,
    meaning:
      'the index of a chain is behind what has been served before; nothing older is answered',
  },
  RPC_UNAVAILABLE: { ...unavailable, meaning: 'no node of a chain answers' },
  PRICE_UNAVAILABLE: { ...unavailable, meaning: 'a price feed is stale or has no answer' },
  STATION_PAUSED: {
    ...unavailable,
    meaning: 'the transit station is paused, or takes no orders from the public',
  },
  STATION_NOT_CONNECTED: {
    ...unavailable,
    meaning: 'the transit station has no peer or no gas limit for the destination',
  },
  QUOTE_SIGNER_UNAVAILABLE: {
    ...unavailable,
    meaning: 'this server has no key that the transit station takes quotes of',
  },
  VAULT_PAUSED: {
    ...unavailable,
    meaning:
      'a contract of the vault is paused, or closed to this account; metadata: `vault`, `chainId`',
  },
  ATTESTATION_UNAVAILABLE: {
    ...unavailable,
    meaning: 'the service that attests who may deposit does not answer',
  },
  DATABASE_UNAVAILABLE: { ...unavailable, meaning: 'the database does not answer' },
  UNHEALTHY: { ...unavailable, meaning: 'a health check failed' },
  OVERLOADED: { ...unavailable, meaning: 'this process has too much to do; ask again' },
  STARTING: { ...unavailable, meaning: 'this process is not ready yet; ask again' },
  SHUTTING_DOWN: { ...unavailable, meaning: 'this process is stopping; ask again' },
  UNEXPECTED: {
    code: 500,
    status: 'UNKNOWN',
    meaning: 'a fault of ours, logged under the request id',
  },
} as const satisfies Record<string, ReasonEntry>

export type Reason = keyof typeof REASONS
