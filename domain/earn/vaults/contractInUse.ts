type Version = { toBlock?: number | 'unknown' | undefined }

/** Of the versions of a deployment's contract the one that is used now, or null where none is known. */
export function contractInUse<Entry extends Version>(versions: Entry[]): Entry | null {
  const last = versions.at(-1)
  return last && last.toBlock === undefined ? last : null
}
