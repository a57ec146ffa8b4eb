import { GraphQLError } from 'graphql'
import { parseWithdrawalId, withdrawalPlace } from '../domain/earn/withdrawals/withdrawalRequest.ts'
import { ADDRESS, isPayableAddress } from '../domain/token/addressText.ts'
import { isAmount } from '../domain/token/amount.ts'
import { checksummed } from '../domain/token/checksummed.ts'
import { builder } from './builder.ts'
import { permitDataJsonSchema } from './permitDataJsonSchema.ts'
import { tokenMetadataMapJsonSchema } from './tokenMetadataMapJsonSchema.ts'

const HASH = /^0x[0-9a-fA-F]{64}$/

function refuse(expected: string, value: unknown): never {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value
  throw new GraphQLError(`expected ${expected}, got ${shown}`)
}

builder.scalarType('Address', {
  description:
    'An EVM address: 0x and 40 hex characters. Taken in any case, given in EIP-55 checksum form.',
  extensions: { jsonSchema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } },
  serialize: (value) => checksummed(value),
  parseValue: (value) =>
    typeof value === 'string' && ADDRESS.test(value)
      ? (value.toLowerCase() as `0x${string}`)
      : refuse('an address: 0x and 40 hex characters', value),
})

builder.scalarType('PayableAddress', {
  description:
    'An EVM address that funds or calldata follow: in lower or upper case, or in mixed case with its EIP-55 checksum.',
  extensions: { jsonSchema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } },
  serialize: (value) => checksummed(value),
  parseValue: (value) =>
    typeof value === 'string' && isPayableAddress(value)
      ? (value.toLowerCase() as `0x${string}`)
      : refuse('an address with its EIP-55 checksum, or without any', value),
})

builder.scalarType('CallArguments', {
  description:
    'The arguments of a call by position: integers are decimal strings, booleans booleans, structs objects by the names of their members.',
  extensions: { jsonSchema: { type: 'array', items: {} } },
  serialize: (value) => value,
})

builder.scalarType('PermitData', {
  description:
    'What to sign for an EIP-2612 permit: `domain`, `types` and `value` of EIP-712 typed data with primary type `Permit`, and its `deadline`.',
  extensions: { jsonSchema: permitDataJsonSchema },
  serialize: (value) => value,
})

builder.scalarType('Hash', {
  description:
    '32 bytes: 0x and 64 hex characters. Taken in any case, given in lower case. An order id is one.',
  extensions: { jsonSchema: { type: 'string', pattern: '^0x[0-9a-f]{64}$' } },
  serialize: (value) => value.toLowerCase(),
  parseValue: (value) =>
    typeof value === 'string' && HASH.test(value)
      ? (value.toLowerCase() as `0x${string}`)
      : refuse('32 bytes: 0x and 64 hex characters', value),
})

builder.scalarType('WithdrawalRequestId', {
  description:
    '`<chainId>:<queue>:<orderIndex>` of a withdrawal request. The queue is taken in any case, given in EIP-55 checksum form.',
  extensions: { jsonSchema: { type: 'string', pattern: '^[0-9]+:0x[0-9a-fA-F]{40}:[0-9]+$' } },
  serialize: (value) => {
    const { chainId, queue, orderIndex } = withdrawalPlace(value)
    return `${chainId}:${checksummed(queue)}:${orderIndex}`
  },
  parseValue: (value) =>
    (typeof value === 'string' ? parseWithdrawalId(value) : null) ??
    refuse('<chainId>:<queue>:<orderIndex>', value),
})

builder.scalarType('Amount', {
  description: 'An unsigned integer in base units, as a decimal string.',
  extensions: { jsonSchema: { type: 'string', pattern: '^[0-9]+$' } },
  serialize: (value) => value.toString(),
  parseValue: (value) =>
    typeof value === 'string' && isAmount(value)
      ? BigInt(value)
      : refuse('a decimal string in base units, below 2^256', value),
})

builder.scalarType('BlockNumber', {
  description: 'The number of a block.',
  extensions: { jsonSchema: { type: 'integer', minimum: 0 } },
  serialize: (value) => Number(value),
  parseValue: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? BigInt(value)
      : refuse('a block number', value),
})

builder.scalarType('UnixTime', {
  description: 'Seconds since 1970-01-01T00:00:00Z.',
  extensions: { jsonSchema: { type: 'integer', minimum: 0 } },
  serialize: (value) => value,
  // As text too, since a permit's deadline is one.
  parseValue: (value) => {
    const isText = typeof value === 'string' && /^\d{1,16}$/.test(value)
    const time = isText ? Number(value) : value
    return typeof time === 'number' && Number.isSafeInteger(time) && time >= 0
      ? time
      : refuse('Unix time in seconds', value)
  },
})

builder.scalarType('DateTime', {
  description: 'A time in ISO 8601, UTC, with milliseconds: `2026-01-31T12:00:00.000Z`.',
  extensions: { jsonSchema: { type: 'string', format: 'date-time' } },
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const time = typeof value === 'string' ? new Date(value) : undefined
    return time && !Number.isNaN(time.getTime()) ? time : refuse('an ISO 8601 time', value)
  },
})

builder.scalarType('EventBody', {
  description:
    'An event as webhooks send it: `id`, `type`, `timestamp`, `version`, `sequence`, and the fields of its type (docs/webhooks.md).',
  extensions: {
    jsonSchema: {
      type: 'object',
      required: ['id', 'type', 'timestamp', 'version', 'sequence'],
      properties: {
        id: { type: 'string' },
        type: { type: 'string' },
        timestamp: { type: 'string', format: 'date-time' },
        version: { type: 'string' },
        sequence: { type: 'integer' },
      },
    },
  },
  serialize: (value) => value,
})

builder.scalarType('TokenMetadataMap', {
  description:
    'Tokens by `<chainId>:<address>`, and for older clients by the bare address too. Every value of an entry is a string: `chain_id`, `address`, `name`, `symbol`, `decimals`, `token_standard`, and `coin_gecko_id` where it is known.',
  extensions: { jsonSchema: tokenMetadataMapJsonSchema },
  serialize: (value) => value,
})
