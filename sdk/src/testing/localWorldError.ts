/**
 * The local world is not there, or refused. The message says what to do.
 *
 * @example
 * if (error instanceof LocalWorldError) console.log(error.message)
 */
export class LocalWorldError extends Error {
  override readonly name = 'LocalWorldError'
}
