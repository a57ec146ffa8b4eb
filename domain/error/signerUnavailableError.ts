/** A key that is kept elsewhere gave no signature: it did not answer in time, refused, or has too many requests open. */
export class SignerUnavailableError extends Error {
  override name = 'SignerUnavailableError'
}
