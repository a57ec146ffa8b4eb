/** An organization of the person who is signed in. */
export type Organization = {
  id: string
  name: string
  /** Null where an operator is no member. */
  role: 'owner' | 'developer' | 'viewer' | null
  /** The permissions for mutations. */
  changes: readonly string[]
}

/** The person who is signed in. */
type Member = {
  id: string
  email: string
  name: string
  isOperator: boolean
  hasSecondFactor: boolean
  hasPassword: boolean
  organizations: readonly Organization[]
  /** Mistakes in the configuration. Only operators get them. */
  doubts: readonly Doubt[]
}

/** A value of the configuration that production should have for a reason only. */
export type Doubt = { message: string; advice: string }

/** The ways to sign in here. */
type SignInWays = { password: boolean; oidc: boolean; local: boolean }

/** The answer of `GET /console/api/session`. `signIn` is null where nobody can sign in. */
export type Session = { signIn: SignInWays | null; member: Member | null }
