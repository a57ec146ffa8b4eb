/**
 * The variables of an account of `npm start`: those of the given key, with what its client reads; otherwise those of
 * the local key, which is null with given nodes.
 */
export function accountVariables(
  variable: 'QUOTE_SIGNER' | 'SMART_DEPOSIT_KEEPER',
  source: NodeJS.ProcessEnv,
  localKey: string | null,
): Record<string, string> {
  const isOfClient = (name: string) => source[variable] && /^(AWS|GOOGLE|GCP)_/.test(name)
  const ownNames = [variable, `${variable}_ADDRESS`, `${variable}_PRIVATE_KEY`]
  const given = Object.entries(source).flatMap(([name, value]) =>
    value && (ownNames.includes(name) || isOfClient(name)) ? [[name, value]] : [],
  )
  if (given.length > 0) return Object.fromEntries(given)
  return localKey ? { [`${variable}_PRIVATE_KEY`]: localKey } : {}
}
