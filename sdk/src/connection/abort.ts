/** Throws the reason of a signal that is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal)
}

/** Why a signal is aborted. Older platforms give none. */
export function reasonOf(signal: AbortSignal | undefined): unknown {
  return signal?.reason ?? Object.assign(new Error('aborted'), { name: 'AbortError' })
}

/**
 * Aborts a controller with a signal. The returned function ends that. `AbortSignal.any` and `AbortSignal.timeout` are not
 * used: React Native and browsers before 2024 do not have them.
 */
export function abortWith(controller: AbortController, signal: AbortSignal | undefined) {
  const abort = () => controller.abort(reasonOf(signal))
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return () => signal?.removeEventListener('abort', abort)
}
