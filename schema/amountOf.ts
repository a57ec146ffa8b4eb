/** The fields beside an amount that name its token: its address, and its chain. */
export type AmountToken = { token: string; chainId: string }

/** Extensions of an `Amount` field that name its token, by fields of the same type. Answers in CSV show whole tokens by it. */
export function amountOf(token: string, chainId = 'chainId'): { amountOf: AmountToken } {
  return { amountOf: { token, chainId } }
}

/** The token that the extensions of a field name; undefined if they name none. */
export function tokenOfAmount(extensions: { amountOf?: unknown }): AmountToken | undefined {
  // Only `amountOf` sets it.
  return extensions.amountOf as AmountToken | undefined
}
