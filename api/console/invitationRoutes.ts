import { randomUUID } from 'node:crypto'
import { acceptInvitation, findInvitation } from '../../domain/access/invitations.ts'
import { chargeAttempt, forgiveAttempt } from '../../domain/access/signInAttempts.ts'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { requestContextOf } from '../http/requestContext.ts'
import { bodyOf, newPasswordParam, passOn, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { createCredential } from './createCredential.ts'
import { authHeaders, sessionOf } from './sessionOf.ts'

/** The link of an invitation. Its token is in bodies only: URLs are logged. */
export const INVITATION_ROUTES: ConsoleRoutes = {
  'POST /invitations/show': async ({ service }, request) => {
    const { token } = bodyOf(request, { token: textParam })
    const attempt = { account: null, address: requestContextOf(request).clientAddress }
    await chargeAttempt(service, attempt)
    const { id: _, ...invitation } = await findInvitation(service.sql, token)
    await forgiveAttempt(service, attempt)
    const [account] = await service.sql`
      select 1 from app.console_user where email = ${invitation.email}`
    return { ...invitation, hasAccount: account !== undefined }
  },

  'POST /invitations/accept': async ({ console, service }, request, reply) => {
    const { token, name, password } = bodyOf(request, {
      token: textParam,
      name: textParam.optional(),
      password: newPasswordParam.optional(),
    })
    const attempt = { account: null, address: requestContextOf(request).clientAddress }
    await chargeAttempt(service, attempt)
    const session = await sessionOf(console, request)
    const passwordHash = password === undefined ? null : await console.hashPassword(password)
    let isNew = false
    const { email } = await acceptInvitation(service.sql, {
      token,
      userId: session?.userId ?? null,
      async createAccount(transaction, ofInvitation) {
        if (name === undefined || passwordHash === null)
          throw invalidFields([
            ...(name === undefined ? [{ field: 'name', description: 'is needed' }] : []),
            ...(passwordHash === null ? [{ field: 'password', description: 'is needed' }] : []),
          ])
        const id = randomUUID()
        const account = { id, email: ofInvitation, name, passwordHash }
        isNew = await createCredential(transaction, account)
        return isNew ? id : null
      },
    })
    await forgiveAttempt(service, attempt)
    if (isNew && password !== undefined) {
      const headers = authHeaders(request)
      const body = { email, password }
      await passOn(await console.auth.api.signInEmail({ body, headers, asResponse: true }), reply)
    }
    return {}
  },
}
