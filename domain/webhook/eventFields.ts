import { CAP_UNITS } from '../addressBook/vaultFormat.ts'
import type { EventType } from './eventTypes.ts'

/** The JSON schema of a field of an event. */
export type FieldSchema = {
  const?: unknown
  type?: string | readonly string[]
  enum?: readonly string[]
  pattern?: string
  format?: string
  minimum?: number
  description?: string
}
type Properties = Record<string, FieldSchema>
/** The fields of an event besides those of every event; `optional` ones can be absent. */
type Fields = { summary: string; fields: Properties; optional?: string[] }

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const integer = { type: 'integer' }
const hash = { type: 'string', pattern: '^0x[0-9a-f]{64}$' }
const address = { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' }
const amount = { type: 'string', pattern: '^[0-9]+$' }
const chainId = { type: 'string', pattern: '^[0-9]+$', description: 'An EVM chain id.' }
const revertedEventId = { ...text, description: 'The id of the event that is no longer true.' }

const deposit: Properties = {
  deposit_id: hash,
  retry_of: {
    ...hash,
    description:
      '`deposit_id` of the retained smart deposit that this one tries again. Absent for the first attempt.',
  },
  transit_order_id: {
    ...hash,
    description:
      'The Transit order that made the payment, or that sends it on. Absent for any other payment, and in an event that was recorded before the order was indexed as paid.',
  },
  customer_id: text,
  chain_id: chainId,
  chain_name: text,
  organization_id: { type: 'string', format: 'uuid' },
  smart_deposit_address: address,
  user_destination_address: address,
  distributor_code_depositor_address: { ...address, type: ['string', 'null'] },
  vault_address: address,
  input_token_symbol: text,
  input_token_address: address,
  input_token_decimals: integer,
  received_amount: {
    ...amount,
    description:
      'Base units of the input token. Of a payment that a Transit order sends on, what that order has paid so far.',
  },
  origin_chain_id: {
    ...chainId,
    description:
      "The chain of the payment. It and the other `origin_*` are present if that is not the input token on the vault's chain.",
  },
  origin_token_symbol: { ...textOrNull, description: 'Null if the token does not say it.' },
  origin_token_address: address,
  origin_token_decimals: { type: ['integer', 'null'], description: 'Likewise.' },
  origin_amount: { ...amount, description: 'What was paid, in base units of the origin token.' },
  receipt_tx_hash: { ...hash, description: "The payment's transaction." },
  receipt_tx_block_hash: { ...hash, description: "The payment's block." },
}
const forwarded: Properties = {
  minted_amount: { ...amount, description: 'Shares, in base units.' },
  forward_tx_hash: hash,
  forward_tx_block_hash: hash,
}
const place: Properties = {
  chain_id: chainId,
  transaction_hash: hash,
  block_hash: hash,
  log_index: integer,
}
const ofOrder = {
  order_id: hash,
  source_chain_id: chainId,
  destination_chain_id: { ...chainId, type: ['string', 'null'] },
  user_address: address,
  receiver_address: address,
  offer_asset_address: address,
  want_asset_address: address,
  offer_amount: { ...amount, description: 'Base units of the offer asset.' },
  distributor_code: hash,
  source_tx_hash: { ...hash, description: 'The transaction of the submission.' },
  message_guid: {
    ...hash,
    type: ['string', 'null'],
    description: 'The id of the LayerZero message; null on one chain.',
  },
  protocol_fee: { ...amount, description: 'Of `offer_amount`, in base units of the offer asset.' },
  integrator_fee: { ...amount, description: 'Likewise.' },
  integrator_fee_receiver_address: address,
  deadline: { ...integer, description: 'Unix seconds until which the quote could be submitted.' },
} satisfies Properties
/** The fields of an order in each body of its events. */
export type OrderEventField = keyof typeof ofOrder
const order: Properties = { ...ofOrder, ...place }
const amountDue = { ...amount, description: 'Base units of the want asset.' }
const execution: Properties = { amount: amountDue, remaining_amount_due: amountDue }
const ofRequest = {
  request_id: { ...text, description: '`<chainId>:<queue>:<orderIndex>`.' },
  order_index: amount,
  vault_address: address,
  user_address: address,
  receiver_address: address,
  refund_receiver_address: address,
  want_asset_address: address,
  offer_amount: { ...amount, description: 'Shares, in base units.' },
} satisfies Properties
/** The fields of a withdrawal request in each body of its events. */
export type RequestEventField = keyof typeof ofRequest
const request: Properties = { ...ofRequest, ...place }
const payment: Properties = { assets_out: textOrNull, fee_amount: textOrNull }
const cancellation: Properties = { is_marked_by_user: { type: 'boolean' } }
const refund: Properties = {
  did_order_fail_transfer: { type: 'boolean' },
  did_order_fail_refund: { type: 'boolean' },
}
const vault: Properties = {
  vault_id: { ...text, description: '`<chainId>:<vaultAddress>`.' },
  vault_address: address,
  ...place,
}
const pausedContract: Properties = {
  contract: { type: 'string', enum: ['teller', 'accountant'] },
  contract_address: address,
}
const rateUpdate: Properties = {
  accountant_address: address,
  exchange_rate: { ...amount, description: 'Base units of the base token per whole share.' },
  previous_exchange_rate: { ...amount, description: 'The rate before this update.' },
}
const capChange: Properties = {
  depositor_address: address,
  supply_cap: {
    ...amount,
    type: ['string', 'null'],
    description: 'In the unit of `cap_in`. Null if deposits have no cap.',
  },
  cap_in: {
    type: 'string',
    enum: [...CAP_UNITS],
    description: '`value`: base units of the base token. `shares`: base units of the share.',
  },
}
const reverted: Properties = { reverted_event_id: revertedEventId, reverted_type: text }

const endpoint: Properties = {
  endpoint_id: { type: 'string', format: 'uuid' },
  endpoint_origin: { ...text, description: 'Scheme, host and port of its URL.' },
}

const ofDeposit = [
  'customer_id',
  'retry_of',
  'transit_order_id',
  'origin_chain_id',
  'origin_token_symbol',
  'origin_token_address',
  'origin_token_decimals',
  'origin_amount',
]
const FIELDS: Record<EventType, Fields> = {
  'smart_deposit.deposit.pending': {
    summary: 'A payment arrived at a smart deposit address',
    fields: deposit,
    optional: ofDeposit,
  },
  'smart_deposit.deposit.converting': {
    summary: "A Transit order sends the payment on to the vault's chain and token",
    fields: {
      ...deposit,
      convert_tx_hash: { ...hash, description: 'The transaction that submitted the order.' },
      convert_tx_block_hash: hash,
    },
    optional: ofDeposit,
  },
  'smart_deposit.deposit.confirmed': {
    summary: 'The payment was deposited into the vault',
    fields: { ...deposit, ...forwarded },
    optional: ofDeposit,
  },
  'smart_deposit.deposit.finalized': {
    summary: 'The deposit is deep enough in its chain',
    fields: { ...deposit, ...forwarded },
    optional: ofDeposit,
  },
  'smart_deposit.deposit.failed': {
    summary: 'The payment was refunded, recovered or retained',
    fields: {
      ...deposit,
      remediation: { type: 'string', enum: ['refunded', 'recovered', 'retained'] },
      error: text,
      forward_tx_hash: { ...hash, description: 'Present if the payment was refunded.' },
      recovery_tx_hash: { ...hash, description: 'Present if the payment was recovered.' },
      reason: {
        ...text,
        description:
          "Of a recovered payment whose payer was refused, the screening provider's words. Of a retained one `TOKEN_NOT_ACCEPTED` if no open Transit route takes it, `ORDER_REMOVED` if its Transit order was removed. Absent otherwise.",
      },
    },
    optional: [...ofDeposit, 'forward_tx_hash', 'recovery_tx_hash', 'reason'],
  },
  'smart_deposit.deposit.reverted': {
    summary: 'A reorganisation took back an event of a smart deposit',
    fields: { ...deposit, reverted_event_id: revertedEventId },
    optional: ofDeposit,
  },
  'transit.order.submitted': { summary: 'An order was submitted', fields: order },
  'transit.order.received': {
    summary: 'The destination received the order',
    fields: { ...order, amount_due: amountDue },
  },
  'transit.order.executed': {
    summary: 'The receiver was paid, in whole or in part',
    fields: { ...order, ...execution },
  },
  'transit.order.processed': {
    summary: 'Nothing of the order is owed any more',
    fields: { ...order, ...execution },
  },
  'transit.order.removed': {
    summary: 'The order can never be delivered',
    fields: { ...order, remaining_amount_due: { ...amountDue, type: ['string', 'null'] } },
  },
  'transit.order.delayed': {
    summary: 'The order is open for longer than 99 of 100 orders of its route take',
    fields: {
      ...order,
      late_since: {
        type: 'string',
        format: 'date-time',
        description: "The time of the submission plus the route's 99th percentile at that time.",
      },
    },
  },
  'transit.order.reverted': {
    summary: 'A reorganisation took back an event of an order',
    fields: { ...order, ...reverted, ...execution, amount_due: amountDue },
    optional: [...Object.keys(execution), 'amount_due'],
  },
  'withdrawal.request.created': { summary: 'Shares were given to the queue', fields: request },
  'withdrawal.request.completed': {
    summary: 'A withdrawal request was paid',
    fields: { ...request, ...payment },
  },
  'withdrawal.request.refund_pending': {
    summary: 'A withdrawal request was cancelled',
    fields: { ...request, ...cancellation },
  },
  'withdrawal.request.refunded': {
    summary: 'The shares were returned, or went to the recovery address',
    fields: { ...request, ...refund },
  },
  'withdrawal.request.reverted': {
    summary: 'A reorganisation took back an event of a withdrawal request',
    fields: { ...request, ...reverted, ...payment, ...cancellation, ...refund },
    optional: [payment, cancellation, refund].flatMap(Object.keys),
  },
  'withdrawal.queue.blocked': {
    summary: 'A withdrawal request holds up its queue',
    fields: {
      ...request,
      reason: {
        type: 'string',
        enum: ['PAYS_NOTHING', 'NO_RATE'],
        description:
          "After the queue's fee the request is worth less than one base unit of its asset, or the accountant has no source of the rate of the asset. The queue reverts.",
      },
    },
  },
  'vault.paused': {
    summary: 'A contract of a vault was paused',
    fields: { ...vault, ...pausedContract },
  },
  'vault.unpaused': {
    summary: 'A contract of a vault works again',
    fields: { ...vault, ...pausedContract },
  },
  'vault.rate_updated': {
    summary: 'The exchange rate of a vault was updated',
    fields: { ...vault, ...rateUpdate },
  },
  'vault.cap_changed': {
    summary: 'The supply cap of a vault was changed',
    fields: { ...vault, ...capChange },
  },
  'vault.reverted': {
    summary: 'A reorganisation took back an event of a vault',
    fields: { ...vault, ...reverted, ...pausedContract, ...rateUpdate, ...capChange },
    optional: [pausedContract, rateUpdate, capChange].flatMap(Object.keys),
  },
  'endpoint.failing': {
    summary: 'Another endpoint of yours accepts nothing',
    fields: {
      ...endpoint,
      failing_since: { type: 'string', format: 'date-time' },
      failures_in_row: { ...integer, description: 'Failed attempts since the last success.' },
      last_status: { type: ['integer', 'null'], description: 'Of the last failure.' },
      last_error: textOrNull,
    },
  },
  'endpoint.disabled': {
    summary: 'Another endpoint of yours was disabled, and is sent nothing more',
    fields: {
      ...endpoint,
      reason: {
        type: 'string',
        enum: ['gone', 'failing'],
        description: '`gone`: it answered 410. `failing`: it accepted nothing for five days.',
      },
    },
  },
  ping: {
    summary: 'You asked for a test event',
    fields: { endpoint_id: { type: 'string', format: 'uuid' } },
  },
}

/** The whole body of a type of event, and the fields of it that can be absent. */
export function describeEvent(type: EventType): {
  summary: string
  properties: Properties
  optional: readonly string[]
} {
  const { summary, fields, optional = [] } = FIELDS[type]
  const properties = {
    id: { ...text, description: 'The same at every attempt. Deduplicate on it.' },
    type: { const: type },
    timestamp: { type: 'string', format: 'date-time' },
    version: { const: 'v2' },
    sequence: { ...integer, minimum: 1, description: 'The number of the event of its resource.' },
    ...fields,
    is_test: {
      const: true,
      description: 'Only of an example that you asked for: it did not happen.',
    },
  }
  return { summary, properties, optional: [...optional, 'is_test'] }
}
