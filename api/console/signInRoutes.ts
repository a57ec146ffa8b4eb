import { randomUUID } from 'node:crypto'
import { createOrganization, findOrganization } from '../../domain/access/organizations.ts'
import { chargeAttempt } from '../../domain/access/signInAttempts.ts'
import type { AppServices } from '../../domain/appContext.ts'
import { derivedKey } from '../../domain/secret/derivedKey.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { bodyOf, emailParam, passOn, signInRefused, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import type { Console } from './createConsole.ts'
import { createCredential } from './createCredential.ts'
import { codeAccount, prove, proveByCode } from './proofs.ts'
import { authHeaders } from './sessionOf.ts'
import { signInChallengeOf } from './signInChallenge.ts'

/** Signing in by password, and out. */
export const SIGN_IN_ROUTES: ConsoleRoutes = {
  'POST /sign-in': async ({ console, service }, request, reply) => {
    const body = bodyOf(request, { email: emailParam, password: textParam })
    const headers = authHeaders(request)
    const answer = await prove({ service }, request, {
      account: body.email,
      run: async () =>
        passOn(await console.auth.api.signInEmail({ body, headers, asResponse: true }), reply),
    })
    return { needsSecondFactor: answer.twoFactorRedirect === true }
  },

  'POST /sign-in/second-factor': async ({ console, service }, request, reply) => {
    const { code, recoveryCode } = bodyOf(request, {
      code: textParam.optional(),
      recoveryCode: textParam.optional(),
    })
    const { api } = console.auth
    const challenge = await signInChallengeOf(console, request)
    if (!challenge) {
      const address = requestContextOf(request).clientAddress
      await chargeAttempt(service, { account: null, address })
      throw signInRefused()
    }
    const { userId, headers } = challenge
    if (recoveryCode === undefined)
      await proveByCode({ service }, request, {
        userId,
        code: code ?? '',
        run: async () =>
          passOn(
            await api.verifyTOTP({ body: { code: code ?? '' }, headers, asResponse: true }),
            reply,
          ),
      })
    else
      await prove({ service }, request, {
        account: codeAccount(userId),
        run: async () =>
          passOn(
            await api.verifyBackupCode({ body: { code: recoveryCode }, headers, asResponse: true }),
            reply,
          ),
      })
    return { needsSecondFactor: false }
  },

  'POST /sign-out': async ({ console }, request, reply) => {
    bodyOf(request, {})
    await passOn(
      await console.auth.api.signOut({ headers: authHeaders(request), asResponse: true }),
      reply,
    )
    return {}
  },
}

/** Signing in by one request: only for a local world. */
export const LOCAL_SIGN_IN_ROUTES: ConsoleRoutes = {
  'POST /sign-in/local': async ({ console, service }, request, reply) => {
    bodyOf(request, {})
    const body = await makeLocalAccount(service, console)
    const headers = authHeaders(request)
    await passOn(await console.auth.api.signInEmail({ body, headers, asResponse: true }), reply)
    return { needsSecondFactor: false }
  },
}

const EMAIL = 'operator@local.example'
const ORGANIZATION = 'Local'

/** The account of a local world, an operator and owner of its organization, with a password that nobody has to know. */
async function makeLocalAccount(
  { sql, appSecret }: Pick<AppServices, 'sql' | 'appSecret'>,
  { hashPassword }: Pick<Console, 'hashPassword'>,
): Promise<{ email: string; password: string }> {
  const password = derivedKey(appSecret, 'console-local').export().toString('hex')
  const account = { email: EMAIL, password }
  const [known] = await sql`select 1 from app.console_user where email = ${EMAIL}`
  if (known) return account
  const organization =
    (await findOrganization(sql, ORGANIZATION)) ??
    (await createOrganization({ sql, actor: 'start' }, ORGANIZATION))
  const passwordHash = await hashPassword(password)
  await sql.begin(async (transaction) => {
    const id = randomUUID()
    const isNew = await createCredential(transaction, {
      id,
      email: EMAIL,
      name: 'Local operator',
      passwordHash,
    })
    if (!isNew) return
    await transaction`update app.console_user set is_operator = true where id = ${id}`
    await transaction`
      insert into app.organization_member (organization_id, user_id, role)
      values (${organization.id}, ${id}, 'owner')`
  })
  return account
}
