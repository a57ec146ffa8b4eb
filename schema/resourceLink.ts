/**
 * Extensions of a field that leads to another resource. Answers of REST show only these fields of it, since each of the two
 * resources names the other.
 */
export function linkOf(...fields: string[]): { link: string[] } {
  return { link: fields }
}

/** The fields that REST shows of a linked resource; undefined for a field that is no link. */
export function linkedFields(extensions: { link?: unknown }): string[] | undefined {
  // Only `linkOf` sets it.
  return extensions.link as string[] | undefined
}
