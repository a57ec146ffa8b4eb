import { randomUUID } from 'node:crypto'
import { betterAuth, type HookEndpointContext } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins/generic-oauth'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Pool } from 'pg'
import { derivedKey } from '../../domain/secret/derivedKey.ts'
import { OIDC_PROVIDER, SIGN_IN_PATH } from './oidcNames.ts'
import { LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS } from './passwordRules.ts'

const AUTH_PATH = '/console/api/auth'
/** The library's name of the path to which the provider leads back. */
const CALLBACK_PATH = '/callback/:id'

const IDLE_SECONDS = 12 * 3_600
const EXTENDED_EVERY_SECONDS = 600

export type OidcOptions = { issuer: string; clientId: string; clientSecret: string }

export type AuthOptions = {
  pool: Pool
  appSecret: Uint8Array
  /** The origin at which browsers reach the api. */
  origin: string
  oidc: OidcOptions | null
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** Better Auth over the tables `app.console_…`. Its own limits are off: `chargeAttempt` has them for all replicas. */
export function createConsoleAuth({ pool, appSecret, origin, oidc }: AuthOptions) {
  return betterAuth({
    appName: 'Causeway',
    baseURL: origin,
    basePath: AUTH_PATH,
    secret: derivedKey(appSecret, 'console').export().toString('hex'),
    trustedOrigins: [origin],
    database: pool,
    telemetry: { enabled: false },
    logger: { disabled: true },
    // Where the library has no page of the sign-in to return to, as for an unknown state.
    onAPIError: { errorURL: SIGN_IN_PATH },
    rateLimit: { enabled: false },
    advanced: {
      cookiePrefix: 'causeway',
      useSecureCookies: origin.startsWith('https:'),
      defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', path: '/' },
      ipAddress: { disableIpTracking: true },
      // The migrations and their test have the schema; the check does not know names with a schema.
      database: { generateId: () => randomUUID(), validateSchema: false },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: LEAST_PASSWORD_CHARACTERS,
      maxPasswordLength: MOST_PASSWORD_CHARACTERS,
    },
    user: {
      modelName: 'app.console_user',
      fields: { emailVerified: 'email_verified', ...times },
      additionalFields: {
        isOperator: {
          type: 'boolean',
          input: false,
          fieldName: 'is_operator',
          defaultValue: false,
        },
      },
    },
    session: {
      modelName: 'app.console_session',
      fields: {
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
        ...times,
      },
      additionalFields: {
        authenticatedAt: {
          type: 'date',
          input: false,
          fieldName: 'authenticated_at',
          defaultValue: () => new Date(),
        },
      },
      expiresIn: IDLE_SECONDS,
      updateAge: EXTENDED_EVERY_SECONDS,
    },
    account: {
      modelName: 'app.console_credential',
      fields: {
        userId: 'user_id',
        accountId: 'account_id',
        providerId: 'provider_id',
        accessToken: 'access_token',
        refreshToken: 'refresh_token',
        idToken: 'id_token',
        accessTokenExpiresAt: 'access_token_expires_at',
        refreshTokenExpiresAt: 'refresh_token_expires_at',
        ...times,
      },
      // No provider is trusted by its name: it must have verified the address, or anybody could take over an account.
      accountLinking: { enabled: true, trustedProviders: [] },
      encryptOAuthTokens: true,
    },
    verification: {
      modelName: 'app.console_verification',
      fields: { expiresAt: 'expires_at', ...times },
    },
    plugins: [
      secondFactor(),
      ...(oidc
        ? [
            genericOAuth({
              config: [
                {
                  providerId: OIDC_PROVIDER,
                  discoveryUrl: `${oidc.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
                  clientId: oidc.clientId,
                  clientSecret: oidc.clientSecret,
                  scopes: ['openid', 'email', 'profile'],
                  pkce: true,
                  // A provider without keys would be believed unsigned.
                  requireIdTokenVerification: true,
                  // Only people who were invited have an account.
                  disableSignUp: true,
                },
              ],
            }),
          ]
        : []),
    ],
  })
}

/**
 * Second factors. The library asks for a code after a password only. Here the provider's sign-in stands for the password,
 * so it asks after that too.
 */
function secondFactor() {
  const plugin = twoFactor({
    issuer: 'Causeway',
    schema: {
      user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
      twoFactor: {
        modelName: 'app.console_two_factor',
        fields: {
          backupCodes: 'backup_codes',
          userId: 'user_id',
          failedVerificationCount: 'failed_verification_count',
          lockedUntil: 'locked_until',
        },
      },
    },
  })
  const after = plugin.hooks.after.map(({ matcher, handler }) => ({
    matcher: (context: HookEndpointContext) => matcher(context) || context.path === CALLBACK_PATH,
    handler,
  }))
  return { ...plugin, hooks: { ...plugin.hooks, after } }
}

export type ConsoleAuth = ReturnType<typeof createConsoleAuth>
