import { GraphQLError } from 'graphql'
import {
  parseWithdrawalId,
  shownWithdrawalId,
} from '../domain/earn/withdrawals/withdrawalRequest.ts'
import { LAST_UNIX_TIME, UNIX_TIME_IN_MILLISECONDS } from '../domain/page/unixTime.ts'
import { ADDRESS, isPayableAddress } from '../domain/token/addressText.ts'
import { isAmount } from '../domain/token/amount.ts'
import { checksummed } from '../domain/token/checksummed.ts'
import { builder } from './builder.ts'
import { permitDataJsonSchema, tokenMetadataMapJsonSchema } from './scalarJsonSchemas.ts'

const EIP_55 = 'https://eips.ethereum.org/EIPS/eip-55'
const HASH = /^0x[0-9a-fA-F]{64}$/

function refuse(expected: string, value: unknown): never {
  const shown = typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : typeof value
  throw new GraphQLError(`expected ${expected}, got ${shown}`)
}

builder.scalarType('Address', {
  description:
    'An EVM address: 0x and 40 hex characters. Input in any case, output with its EIP-55 checksum.',
  specifiedByURL: EIP_55,
  extensions: { jsonSchema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } },
  serialize: (value) => checksummed(value),
  parseValue: (value) =>
    typeof value === 'string' && ADDRESS.test(value)
      ? (value.toLowerCase() as `0x${string}`)
      : refuse('an address: 0x and 40 hex characters', value),
})

builder.scalarType('PayableAddress', {
  description:
    'An EVM address that funds or calldata go to: 0x and 40 hex characters in one case, or in mixed case with the right EIP-55 checksum.',
  specifiedByURL: EIP_55,
  extensions: { jsonSchema: { type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' } },
  serialize: (value) => checksummed(value),
  parseValue: (value) =>
    typeof value === 'string' && isPayableAddress(value)
      ? (value.toLowerCase() as `0x${string}`)
      : refuse('an address with its EIP-55 checksum, or without any', value),
})

builder.scalarType('CallArguments', {
  description:
    'The arguments of a call, in order. An integer is a decimal string, a boolean a boolean, a struct an object by the names of its members.',
  extensions: { jsonSchema: { type: 'array', items: {} } },
  serialize: (value) => value,
})

builder.scalarType('PermitData', {
  description:
    'The EIP-712 typed data of an EIP-2612 permit: `domain`, `types` and `value`, with primary type `Permit`, and the `deadline`.',
  specifiedByURL: 'https://eips.ethereum.org/EIPS/eip-2612',
  extensions: { jsonSchema: permitDataJsonSchema },
  serialize: (value) => value,
})

builder.scalarType('Hash', {
  description:
    '32 bytes, for example an order id: 0x and 64 hex characters. Input in any case, output in lower case.',
  extensions: { jsonSchema: { type: 'string', pattern: '^0x[0-9a-f]{64}$' } },
  serialize: (value) => value.toLowerCase(),
  parseValue: (value) =>
    typeof value === 'string' && HASH.test(value)
      ? (value.toLowerCase() as `0x${string}`)
      : refuse('32 bytes: 0x and 64 hex characters', value),
})

builder.scalarType('WithdrawalRequestId', {
  description:
    'The id of a withdrawal request: `<chainId>:<queue>:<orderIndex>`. The queue is an address: input in any case, output with its EIP-55 checksum.',
  extensions: { jsonSchema: { type: 'string', pattern: '^[0-9]+:0x[0-9a-fA-F]{40}:[0-9]+$' } },
  serialize: (value) => shownWithdrawalId(value),
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
  description: 'A block number.',
  extensions: { jsonSchema: { type: 'integer', minimum: 0 } },
  serialize: (value) => Number(value),
  parseValue: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? BigInt(value)
      : refuse('a block number', value),
})

builder.scalarType('UnixTime', {
  description:
    'Unix time: seconds since 1970-01-01T00:00:00Z. As an argument at most 99999999999: a larger one is in milliseconds, and refused.',
  // The format tells a time from a block number: generated clients make a date of it.
  extensions: { jsonSchema: { type: 'integer', minimum: 0, format: 'unix-time' } },
  serialize: (value) => value,
  // Text is accepted too, because a permit's deadline is text.
  parseValue: (value) => {
    const isText = typeof value === 'string' && /^\d{1,16}$/.test(value)
    const time = isText ? Number(value) : value
    if (typeof time !== 'number' || !Number.isSafeInteger(time) || time < 0)
      return refuse('Unix time in seconds', value)
    if (time > LAST_UNIX_TIME) throw new GraphQLError(UNIX_TIME_IN_MILLISECONDS)
    return time
  },
})

builder.scalarType('DateTime', {
  description: 'A time in ISO 8601, in UTC and with milliseconds: `2026-01-31T12:00:00.000Z`.',
  specifiedByURL: 'https://www.rfc-editor.org/rfc/rfc3339',
  extensions: { jsonSchema: { type: 'string', format: 'date-time' } },
  serialize: (value) => value.toISOString(),
  parseValue: (value) => {
    const time = typeof value === 'string' ? new Date(value) : undefined
    return time && !Number.isNaN(time.getTime()) ? time : refuse('an ISO 8601 time', value)
  },
})

builder.scalarType('EventBody', {
  description:
    'An event as a webhook sends it: `id`, `type`, `timestamp`, `version`, `sequence` and the fields of its type.',
  // The document of REST describes each type under this name.
  extensions: { jsonSchema: { $ref: '#/components/schemas/EventBody' } },
  serialize: (value) => value,
})

builder.scalarType('ActionDetails', {
  description: 'More about a recorded change. The members depend on its `action`.',
  extensions: { jsonSchema: { type: 'object', additionalProperties: true } },
  serialize: (value) => value,
})

builder.scalarType('ReasonMetadata', {
  description: 'The metadata of a reason. The keys depend on it (docs/errors.md).',
  extensions: {
    jsonSchema: { type: 'object', additionalProperties: { type: 'string' } },
  },
  serialize: (value) => value,
})

builder.scalarType('TokenMetadataMap', {
  description:
    'Tokens by `<chainId>:<address>` and, for older clients, by the address alone. Every value of an entry is a string: `chain_id`, `address`, `name`, `symbol`, `decimals`, `token_standard` and, where it is known, `coin_gecko_id`.',
  extensions: { jsonSchema: tokenMetadataMapJsonSchema },
  serialize: (value) => value,
})

const bps = { type: 'integer' } as const
const byAddress = { type: 'object', additionalProperties: bps } as const
const byVault = { type: 'object', additionalProperties: byAddress } as const

builder.scalarType('WithdrawAssetMap', {
  description:
    'Basis points by chain id, vault and token: `{"1": {"<vault>": {"<token>": 50}}}`. The addresses are lower case.',
  extensions: { jsonSchema: { type: 'object', additionalProperties: byVault } },
  serialize: (value) => value,
})
