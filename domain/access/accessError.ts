/** What an administrator asked for and cannot have; its message says why, to them. */
export class AccessError extends Error {
  override name = 'AccessError'
}
