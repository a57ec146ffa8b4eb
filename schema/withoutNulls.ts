/** Arguments as parameters of the domain, where null is absent. */
export function withoutNulls<Arguments extends object>(
  args: Arguments,
): { [Name in keyof Arguments]: Exclude<Arguments[Name], null> } {
  const given = Object.entries(args).filter(([, value]) => value !== null)
  // `fromEntries` loses the names, which are the same.
  return Object.fromEntries(given) as { [Name in keyof Arguments]: Exclude<Arguments[Name], null> }
}
