// Scalars have no fields for OpenAPI to read, so their JSON Schemas stand here.

const text = { type: 'string' } as const
const decimal = { type: 'string', pattern: '^[0-9]+$' } as const

export const permitDataJsonSchema = {
  type: 'object',
  required: ['domain', 'types', 'value', 'deadline'],
  properties: {
    domain: {
      type: 'object',
      description: 'Exactly the parts that the token has in its own domain.',
      properties: {
        name: text,
        version: text,
        chainId: { type: 'integer' },
        verifyingContract: text,
        salt: text,
      },
    },
    types: {
      type: 'object',
      required: ['Permit'],
      properties: {
        Permit: {
          type: 'array',
          items: {
            type: 'object',
            required: ['name', 'type'],
            properties: { name: text, type: text },
          },
        },
      },
    },
    value: {
      type: 'object',
      required: ['owner', 'spender', 'value', 'nonce', 'deadline'],
      properties: { owner: text, spender: text, value: decimal, nonce: decimal, deadline: decimal },
    },
    deadline: decimal,
  },
}

export const tokenMetadataMapJsonSchema = {
  type: 'object',
  additionalProperties: {
    type: 'object',
    required: ['chain_id', 'address', 'name', 'symbol', 'decimals', 'token_standard'],
    properties: {
      chain_id: text,
      address: text,
      name: text,
      symbol: text,
      decimals: text,
      token_standard: text,
      coin_gecko_id: text,
    },
  },
}
