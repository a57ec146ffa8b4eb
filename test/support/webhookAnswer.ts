import type { ErrorBody } from './refusal.ts'

type Endpoint = Record<string, unknown> & {
  id: string
  eventTypes: string[]
  status: string
  filter: string | null
  previousSecretExpiresAt: string | null
}
/** The path and the status decide which members exist; the test checks them against docs/openapi.json. */
export type Body = Pick<ErrorBody, 'error'> & {
  endpoint: Endpoint
  secret: string
  webhookEndpoints: Endpoint[]
  deliveries: Record<string, unknown>[]
  delivery: Record<string, unknown>
  replay: Record<string, unknown>
  attempts: Record<string, unknown>[]
  eventId: string
  events: { organizationSequence: string; event: object }[]
  nextAfter: string
  hasMore: boolean
  nextPageToken: string | null
}
export type Answer = { status: number; body: Body }

const HASH = `0x${'5d'.repeat(32)}`
const ADDRESS = `0x${'11'.repeat(20)}`
/** The fields of a smart deposit's event that are the same for all. */
export const DEPOSIT_FIELDS = {
  chain_id: '1',
  chain_name: 'Ethereum',
  smart_deposit_address: ADDRESS,
  user_destination_address: ADDRESS,
  distributor_code_depositor_address: ADDRESS,
  vault_address: ADDRESS,
  input_token_symbol: 'USDC',
  input_token_address: ADDRESS,
  input_token_decimals: 6,
  received_amount: '1000000',
  receipt_tx_hash: HASH,
  receipt_tx_block_hash: HASH,
  deposit_id: HASH,
}

export const reasonOf = ({ body }: Answer) => body.error.details.at(-1)?.reason
export const violationsOf = ({ body }: Answer) =>
  body.error.details.flatMap(({ fieldViolations }) => fieldViolations)
export const fieldsOf = (answer: Answer) => violationsOf(answer).map(({ field }) => field)
