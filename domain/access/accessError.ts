/** A refused request of an administrator; the message is for them. */
export class AccessError extends Error {
  override name = 'AccessError'
}
