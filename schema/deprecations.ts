/** Something that will be taken away. */
export type Deprecation = {
  /** The day from which it is deprecated: `2026-11-25`. */
  since: string
  /** The day from which it may be gone. */
  until: string
  /** A sentence: what to use instead. */
  instead: string
}

const copyOfTransaction = {
  since: '2026-11-25',
  until: '2027-11-25',
  instead: 'Read it in `transaction`.',
}

/**
 * Everything that is deprecated, by type and field. A root field, such as `Query.vaults`, stands for its REST operation too.
 * docs/deprecations.md has the policy.
 */
export const DEPRECATIONS: Readonly<Record<string, Deprecation>> = {
  'PreviewedTransaction.abi': copyOfTransaction,
  'PreviewedTransaction.args': copyOfTransaction,
  'PreviewedTransaction.data': copyOfTransaction,
  'PreviewedTransaction.functionName': copyOfTransaction,
  'PreviewedTransaction.to': copyOfTransaction,
  'PreviewedTransaction.value': copyOfTransaction,
}

/** The options by which the schema marks a field of the list. Throws for another. */
export function deprecated(field: string): { deprecationReason: string } {
  const found = DEPRECATIONS[field]
  if (!found) throw new Error(`Invariant(deprecations): ${field} is not listed`)
  return { deprecationReason: `${found.instead} It can be gone from ${found.until} on.` }
}
