/** The local world is not there, or refused. The message says what to do. */
export class LocalWorldError extends Error {
  override readonly name = 'LocalWorldError'
}
