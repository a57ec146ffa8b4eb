/** An entry of an audit log. */
export type Entry = {
  action: string
  subject: string
  actor: string
  actorName: string
  details: object
}

/** The only member of an answer. */
export function only<Row = Record<string, unknown>>({
  body,
}: {
  body: Record<string, unknown>
}): Row {
  return Object.values(body)[0] as Row // The caller knows the operation.
}
