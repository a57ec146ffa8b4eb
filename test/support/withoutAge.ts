type Aged = { stale?: unknown; asOf?: unknown }

/** A row of a list without the time of its read. Throws for one that is stale. */
export function withoutAge<Row extends object>(row: Row & Aged): Omit<Row, 'stale' | 'asOf'> {
  const { stale, asOf, ...rest } = row
  if (stale === true) throw new Error(`A row is stale, as of ${asOf}`)
  return rest
}
