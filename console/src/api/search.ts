import { type Filter, type FilterKeys, writeFilter } from '@causeway/sdk'

/** The texts in the search of an address, by their names. A text of digits alone is read as a number. */
export function textsIn<Name extends string>(
  given: Record<string, unknown>,
  ...names: readonly Name[]
): { [Each in Name]?: string } {
  const texts: { [Each in Name]?: string } = {}
  for (const name of names) {
    const value = given[name]
    if ((typeof value === 'string' && value) || typeof value === 'number')
      texts[name] = String(value)
  }
  return texts
}

/** The one of these names that a text is, as an object with it under `key`; an empty one if it is none of them. */
export function oneIn<Key extends string, Name extends string>(
  given: Record<string, unknown>,
  key: Key,
  names: Readonly<Record<Name, unknown>>,
): { [Each in Key]?: Name } {
  const found = Object.keys(names).find((name): name is Name => name === given[key])
  return found ? ({ [key]: found } as { [Each in Key]?: Name }) : {}
}

type Conditions<Keys> = { [Key in keyof Keys]?: Keys[Key] | undefined }

/** The parameter of a list with a filter. Keys without a value are left out. */
export function filterOf<Operation extends keyof FilterKeys>(
  conditions: Conditions<FilterKeys[Operation]>,
): { filter?: string } {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined)
  // Cast, because `Object.entries` forgets the types: the values are those of the list's own keys.
  return given.length > 0 ? { filter: writeFilter(Object.fromEntries(given) as Filter) } : {}
}
