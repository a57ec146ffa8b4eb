const text = { type: 'string' } as const

/** A scalar has no fields for OpenAPI to read, so the map's JSON Schema stands here. */
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
