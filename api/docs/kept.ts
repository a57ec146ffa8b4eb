/** The first result of `read`, given again. A failure is not kept, and neither is null. */
export function kept<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<Result> | undefined
  return async () => {
    last ??= read()
    const result = await last.catch((error) => {
      last = undefined
      throw error
    })
    if (result === null) last = undefined
    return result
  }
}
