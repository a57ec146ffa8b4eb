type Version = { toBlock?: number | 'unknown' | undefined }

/** The version of a deployment's contract that is in use now, or null if none is known. */
export function contractInUse<Entry extends Version>(versions: Entry[]): Entry | null {
  const last = versions.at(-1)
  return last && last.toBlock === undefined ? last : null
}
