/** The role of DATABASE_URL may not read something. The processes may work nevertheless. */
export class MissingRightError extends Error {
  override name = 'MissingRightError'

  constructor(role: string, refusal: string) {
    super(`the role ${role} lacks the right (${refusal})`)
  }
}
