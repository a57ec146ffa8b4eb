/** The entries of a record, whose keys keep their type. */
export function entriesOf<Key extends string, Value>(
  record: Readonly<Record<Key, Value>>,
): [Key, Value][] {
  // Cast, because `Object.entries` gives any text as key.
  return Object.entries(record) as [Key, Value][]
}
