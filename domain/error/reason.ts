/** The values of `error.status`. */
export type ErrorStatus =
  | 'UNKNOWN'
  | 'INVALID_ARGUMENT'
  | 'NOT_FOUND'
  | 'PERMISSION_DENIED'
  | 'UNAUTHENTICATED'
  | 'RESOURCE_EXHAUSTED'
  | 'INTERNAL'
  | 'METHOD_NOT_ALLOWED'

export type ReasonEntry = {
  code: number
  status: ErrorStatus
  meaning: string
  /** The keys that the metadata always has. */
  metadata?: readonly string[]
  /** Keys that it has in some cases. */
  optionalMetadata?: readonly string[]
}

type Metadata = Pick<ReasonEntry, 'metadata' | 'optionalMetadata'>

function answeredWith(code: number, status: ErrorStatus) {
  return (meaning: string, metadata: Metadata = {}): ReasonEntry => {
    return { code, status, meaning, ...metadata }
  }
}

const badRequest = answeredWith(400, 'INVALID_ARGUMENT')
const unauthenticated = answeredWith(401, 'UNAUTHENTICATED')
const denied = answeredWith(403, 'PERMISSION_DENIED')
const notFound = answeredWith(404, 'NOT_FOUND')
const exhausted = answeredWith(429, 'RESOURCE_EXHAUSTED')
const unavailable = answeredWith(503, 'INTERNAL')

/**
 * Every reason of an error: a closed list that clients may branch on.
 * docs/errors.md is generated from it.
 */
export const REASONS = {
  INVALID_FIELD: badRequest('one or more parameters are missing, malformed or out of bounds'),
  INVALID_FILTER: badRequest(
    'the filter expression does not parse, or a key or value of it is unknown; of a webhook endpoint also: no event of a selected type can pass it',
  ),
  INVALID_PAGE_TOKEN: badRequest('the page token is not valid for this list and these parameters'),
  INVALID_GRAPHQL: badRequest(
    'the GraphQL document does not parse, is not valid or exceeds a limit',
  ),
  OPERATION_TOO_COSTLY: badRequest('the GraphQL operation costs too many points', {
    metadata: ['cost', 'maximum'],
  }),
  IDEMPOTENCY_KEY_REUSED: badRequest(
    'the `Idempotency-Key` was sent with another call, or by another caller, in the last 24 hours',
  ),
  MALFORMED_JSON: badRequest('the request body is not valid JSON'),
  MALFORMED_REQUEST: badRequest('the request is not valid HTTP'),
  UNSUPPORTED_CONTENT_TYPE: badRequest(
    'a request with a body needs `Content-Type: application/json`',
  ),
  REQUEST_TOO_LARGE: badRequest('the body, the headers or the URL are too large'),
  KEY_IN_QUERY: badRequest('the URL contains an API key; send it in the `x-api-key` header'),
  SUBSCRIPTION_NEEDS_STREAM: badRequest(
    'subscriptions are served at `/graphql/stream` as server-sent events',
  ),
  BELOW_MIN_ORDER_SIZE: badRequest(
    'the offer is below the present minimum of the route or the withdraw queue',
    { metadata: ['minOrderSize', 'asset'] },
  ),
  ABOVE_MAX_ORDER_SIZE: badRequest('the offer is above the maximum of the route', {
    metadata: ['maxOrderSize', 'asset'],
  }),
  QUOTE_FEE_TOO_HIGH: badRequest(
    'the integrator fee is above the maximum of the transit station for this offer',
    { metadata: ['maxIntegratorFee', 'asset'] },
  ),
  APPROVAL_REFUSED: badRequest('the token refuses approvals by this user'),
  VAULT_DEPRECATED: badRequest('the deployment is deprecated and takes no deposits', {
    metadata: ['vault', 'chainId'],
  }),
  ASSET_NOT_DEPOSITABLE: badRequest(
    'this asset cannot be deposited into the vault. Where it takes a fee from transfers: the amount that was asked for, and the part of it that would arrive',
    { metadata: ['asset'], optionalMetadata: ['amount', 'arriving'] },
  ),
  ASSET_NOT_WITHDRAWABLE: badRequest('this asset cannot be withdrawn from the vault', {
    metadata: ['asset'],
  }),
  DEPOSIT_TOO_SMALL: badRequest(
    "the fee is not less than the deposit, the deposit would mint no share, or less than `minimum`, the operator's least payment, would arrive from elsewhere",
    { metadata: ['fee'], optionalMetadata: ['minimum'] },
  ),
  WITHDRAWAL_TOO_SMALL: badRequest(
    'the fee would take all of the withdrawal, or less than one base unit of the asset would be left; `minOrderSize` is the least number of shares that is paid now, where it is known',
    { metadata: ['fee'], optionalMetadata: ['minOrderSize', 'asset'] },
  ),
  REMAINDER_TOO_SMALL: badRequest(
    'the withdrawal leaves `remainder` shares, which cannot be withdrawn alone, and `refuseSmallRemainder` was given',
    { metadata: ['remainder', 'minOrderSize', 'asset'] },
  ),
  SUPPLY_CAP_EXCEEDED: badRequest(
    'the deposit would exceed the supply cap; both amounts are in base units of the base token',
    { metadata: ['remainingInBase', 'supplyCapInBase'] },
  ),
  ACCOUNT_FROZEN: badRequest('the vault or the issuer of the asset has frozen an account', {
    metadata: ['account'],
  }),
  ATTESTATION_REFUSED: badRequest(
    'the attestation service refuses the account or the receiver of the shares',
    { metadata: ['account', 'receiver'] },
  ),
  INTENDED_DEPOSITOR_NOT_SENDER: badRequest(
    '`intendedDepositor` is not the sender; the withdraw queue takes a request only from its sender',
  ),
  RECEIVER_CANNOT_USE: badRequest(
    'a receiver can never use what it would get: it is a contract of the address book, an address that nobody has the key of, or a smart deposit address that does not accept it',
    { metadata: ['account'] },
  ),
  RECEIVER_REFUSES_RECEIPT: badRequest(
    "the receiver is a contract that does not accept the queue's receipt (an NFT)",
    { metadata: ['receiver'] },
  ),
  WITHDRAWAL_NOT_PENDING: badRequest(
    'only a pending withdrawal request can be cancelled, and this one is not; `cancellableBy` is the holder of the receipt, while there is one',
    { metadata: ['status'], optionalMetadata: ['cancellableBy'] },
  ),
  ORDER_INDEX_AMBIGUOUS: badRequest(
    'requests in several queues of the vault wait under this `orderIndex`; cancel by `requestId`, one of `requestIds` (separated by commas)',
    { metadata: ['requestIds'] },
  ),
  SIMULATION_FAILED: badRequest(
    'the transaction would revert on the chain with `error`; its arguments are in the metadata too',
    { metadata: ['error'] },
  ),
  WEBHOOK_ENDPOINT_LIMIT: badRequest(
    'the organization has the maximum number of webhook endpoints',
    { metadata: ['limit'] },
  ),
  WEBHOOK_ENDPOINT_DISABLED: badRequest('the webhook endpoint is disabled; enable it first'),
  WEBHOOK_REPLAY_RUNNING: badRequest(
    'a replay to the webhook endpoint is under way; wait for its end, or cancel it',
  ),
  EVENTS_EXPIRED: badRequest(
    'events after this `after` are no longer kept; the oldest that may be is `oldestSequence`: continue after the one before it, and read what you miss as orders, requests and deposits',
    { metadata: ['oldestSequence'] },
  ),
  API_KEY_LIMIT: badRequest(
    'the organization has the maximum number of live API keys; revoke one first',
    { metadata: ['limit'] },
  ),
  API_KEY_ENDED: badRequest('the API key was revoked or has expired; create a new one'),
  ORGANIZATION_NAME_TAKEN: badRequest('there is an organization with this name already'),
  LAST_OWNER: badRequest(
    'the member is the only owner of the organization; make another member an owner first',
  ),
  CONSOLE_OFF: badRequest(
    'the operator has not set up the web console, so nobody can accept an invitation',
  ),
  UNAUTHENTICATED: unauthenticated(
    'the request needs an API key and has none, or its key is malformed, unknown, revoked or expired',
  ),
  PERMISSION_DENIED: denied(
    "the API key, or the member's role, lacks a permission; also one that a new key is to have",
    { metadata: ['permission'] },
  ),
  REAUTHENTICATION_NEEDED: denied(
    'the answer would show a secret to a member of the console, who must first enter the password or a code again',
  ),
  SECOND_FACTOR_NEEDED: denied(
    "the organization requires a second factor of its members, and the account of the session's person has none",
  ),
  FORGED_REQUEST: denied(
    "a request with a session of the console did not come from the console's own pages",
  ),
  SIGN_IN_REFUSED: unauthenticated(
    'the email address, the password or the code is wrong, or there is no session',
  ),
  SIGN_IN_LOCKED: exhausted(
    'too many attempts to sign in to this account, or from this address; retry after `Retry-After` seconds',
  ),
  RATE_LIMITED: exhausted(
    'the quota of this minute is used up; retry after `Retry-After` seconds',
    { metadata: ['class', 'limit', 'windowSeconds'] },
  ),
  TOO_MANY_OPEN: exhausted(
    'your API key, or your address without one, has as many `connections`, `held` requests and streams, or running `requests` as it may; end some, then retry',
    { metadata: ['what', 'limit'] },
  ),
  PATH_NOT_FOUND: notFound('the path does not exist'),
  API_KEY_NOT_FOUND: notFound('the organization has no API key with this public id'),
  ORGANIZATION_NOT_FOUND: notFound(
    'there is no organization with this id, or you are no member of it',
  ),
  MEMBER_NOT_FOUND: notFound('the organization has no member with this id'),
  TRANSIT_STOP_NOT_FOUND: notFound('the quotes of this route, or of all routes, are not stopped'),
  REHEARSAL_NOT_FOUND: notFound('the service has no report of a rehearsal; the message says why'),
  INVITATION_NOT_FOUND: notFound(
    'the invitation does not exist, was used or revoked, or has expired',
  ),
  ORDER_NOT_FOUND: notFound('no chain has an order with this id'),
  CHAIN_NOT_FOUND: notFound(
    'this service has no chain with this id; the message names its chains',
    { metadata: ['chainId'] },
  ),
  ROUTE_NOT_FOUND: notFound('there is no approved route for these assets and chains'),
  VAULT_NOT_FOUND: notFound('the chain has no such vault'),
  WITHDRAWAL_REQUEST_NOT_FOUND: notFound(
    'no queue of the vault has a withdrawal request with this index, or no request has this id',
  ),
  SMART_DEPOSIT_NOT_FOUND: notFound('your organization has no smart deposit with this id'),
  REFUND_NOT_POSSIBLE: badRequest(
    'the payment is not retained, or another organization registered its address first and decides',
    { metadata: ['state'] },
  ),
  JOURNEY_NOT_FOUND: notFound(
    'no order with this id pays to a smart deposit address of your organization',
  ),
  WEBHOOK_ENDPOINT_NOT_FOUND: notFound('the organization has no webhook endpoint with this id'),
  WEBHOOK_DELIVERY_NOT_FOUND: notFound('the webhook endpoint has no delivery of this event'),
  WEBHOOK_REPLAY_NOT_FOUND: notFound('no events were replayed to the webhook endpoint yet'),
  METHOD_NOT_ALLOWED: answeredWith(
    405,
    'METHOD_NOT_ALLOWED',
  )('the path does not have this method; the `Allow` header lists its methods'),
  NOT_YET_INDEXED: unavailable('the order is on its chain, but not indexed yet', {
    optionalMetadata: ['chainId'],
  }),
  INDEX_CATCHING_UP: unavailable(
    'the index of a chain is behind the blocks that were served before; older values are not served',
    { optionalMetadata: ['chainId'] },
  ),
  RPC_UNAVAILABLE: unavailable(
    'no node of a chain answers, or its nodes stand still: their newest block is `blockAgeSeconds` old',
    { optionalMetadata: ['chainId', 'blockAgeSeconds'] },
  ),
  PRICE_UNAVAILABLE: unavailable(
    'a price feed is stale, ahead of its time, or does not answer, or the sequencer of its chain is down or was less than an hour ago; `updatedAt` is the time of its last answer, in Unix seconds',
    { optionalMetadata: ['chainId', 'feed', 'updatedAt'] },
  ),
  PRICE_OUT_OF_BAND: unavailable('the price of an asset of the route is too far from 1 USD', {
    metadata: ['asset', 'chainId', 'priceUsd', 'bandBps'],
  }),
  ROUTE_PAUSED: unavailable('the operator has stopped the quotes of the route', {
    metadata: ['pausedAt'],
  }),
  ROUTE_EXHAUSTED: unavailable(
    "the quote would exceed the route's cap of an hour, or the caller's share of it",
    { metadata: ['remaining', 'asset'] },
  ),
  STATION_PAUSED: unavailable('the transit station is paused or closed to the public', {
    optionalMetadata: ['chainId'],
  }),
  STATION_NOT_CONNECTED: unavailable(
    'the transit station has no peer or no gas limit for the destination, or that of the destination has no peer for the source',
    { optionalMetadata: ['chainId'] },
  ),
  QUOTE_SIGNER_UNAVAILABLE: unavailable(
    'this server has no signing key that the transit station accepts',
  ),
  VAULT_PAUSED: unavailable('a contract of the vault is paused, or closed to this account', {
    metadata: ['vault', 'chainId'],
  }),
  VAULT_NOT_CONNECTED: unavailable(
    'a contract of the vault lacks a role, so the transaction would revert or be refunded',
    { metadata: ['vault', 'chainId'] },
  ),
  ATTESTATION_UNAVAILABLE: unavailable('the attestation service does not answer'),
  SIGN_IN_PROVIDER_UNAVAILABLE: unavailable(
    "the OpenID Connect provider of the console's sign-in does not answer",
  ),
  IDEMPOTENCY_KEY_IN_USE: unavailable(
    'the first call with this `Idempotency-Key` is under way; repeat it for its answer',
  ),
  DATABASE_UNAVAILABLE: unavailable('the database does not answer'),
  UNHEALTHY: unavailable(
    'a health check failed, or the index of a chain lacks more than was asked for',
    { optionalMetadata: ['chainIds'] },
  ),
  OVERLOADED: unavailable('this process is overloaded; retry'),
  STARTING: unavailable('this process is not ready yet; retry'),
  SHUTTING_DOWN: unavailable('this process is stopping; retry'),
  UNEXPECTED: answeredWith(500, 'UNKNOWN')('an internal error, logged under the request id'),
} satisfies Record<string, ReasonEntry>

export type Reason = keyof typeof REASONS

/** The meaning of a reason, and the keys of its metadata. */
export function reasonText(reason: Reason): string {
  const { meaning, metadata = [], optionalMetadata = [] }: ReasonEntry = REASONS[reason]
  const keys = [
    ...metadata.map((key) => `\`${key}\``),
    ...optionalMetadata.map((key) => `\`${key}\` (in some cases)`),
  ]
  return keys.length > 0 ? `${meaning}; metadata: ${keys.join(', ')}` : meaning
}
