import { hashPassword } from 'better-auth/crypto'
import { createPgPool } from '../../db/pgPool.ts'
import type { Doubt } from '../../domain/health/doubt.ts'
import { type ConsoleAuth, createConsoleAuth, type OidcOptions } from './createConsoleAuth.ts'

export type ConsoleOptions = {
  databaseUrl: string
  appSecret: Uint8Array
  /** The origin at which browsers reach the api, for example `https://api.example`. */
  origin: string
  oidc: OidcOptions | null
  /** Whether one request signs in without a password: only for a local world. */
  hasLocalSignIn: boolean
  /** Mistakes in the configuration that the console shows to operators. Default: none. */
  doubts?: readonly Doubt[]
}

/** The parts of the console that routes use. */
export type Console = Pick<ConsoleOptions, 'origin' | 'hasLocalSignIn'> & {
  hasOidc: boolean
  doubts: readonly Doubt[]
  auth: ConsoleAuth
  hashPassword(password: string): Promise<string>
  stop(): Promise<void>
}

const CONNECTIONS = 4

/** Loads Better Auth, which takes half a second: import this file only where the console is on. */
export function createConsole(options: ConsoleOptions): Console {
  const { databaseUrl, origin, oidc, hasLocalSignIn, appSecret, doubts = [] } = options
  const pool = createPgPool(databaseUrl, { applicationName: 'causeway-console', max: CONNECTIONS })
  return {
    origin,
    hasLocalSignIn,
    hasOidc: oidc !== null,
    doubts,
    auth: createConsoleAuth({ pool, appSecret, origin, oidc }),
    hashPassword,
    stop: () => pool.end(),
  }
}
