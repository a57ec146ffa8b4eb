import { randomUUID } from 'node:crypto'
import { acceptInvitation, findInvitation } from '../../domain/access/invitations.ts'
import { invalidFields } from '../../domain/error/serviceError.ts'
import { bodyOf, nameParam, newPasswordParam, passOn, textParam } from './consoleRequest.ts'
import type { ConsoleRoutes } from './consoleRoutes.ts'
import { createCredential } from './createCredential.ts'
import { prove } from './proofs.ts'
import { authHeaders, sessionOf } from './sessionOf.ts'

/** The link of an invitation. Its token is in bodies only: URLs are logged. */
export const INVITATION_ROUTES: ConsoleRoutes = {
  'POST /invitations/show': async ({ service }, request) => {
    const { token } = bodyOf(request, { token: textParam })
    const run = () => findInvitation(service.sql, token)
    const { id: _, ...invitation } = await prove({ service }, request, { account: null, run })
    return invitation
  },

  'POST /invitations/accept': async ({ console, service }, request, reply) => {
    const { token, name, password } = bodyOf(request, {
      token: textParam,
      name: nameParam.optional(),
      password: newPasswordParam.optional(),
    })
    let isNew = false
    const accept = async () => {
      const session = await sessionOf(console, request)
      // Before the account is looked up: a refusal must not tell whether the address has one.
      const person = newPerson({ name, password })
      const passwordHash = person && (await console.hashPassword(person.password))
      return acceptInvitation(service.sql, {
        token,
        userId: session?.userId ?? null,
        async createAccount(transaction, ofInvitation) {
          if (!person || passwordHash === null) return null
          const id = randomUUID()
          const account = { id, email: ofInvitation, name: person.name, passwordHash }
          isNew = await createCredential(transaction, account)
          return isNew ? id : null
        },
      })
    }
    const { email } = await prove({ service }, request, { account: null, run: accept })
    if (isNew && password !== undefined) {
      const headers = authHeaders(request)
      const body = { email, password }
      await passOn(await console.auth.api.signInEmail({ body, headers, asResponse: true }), reply)
    }
    return {}
  },
}

type NewPerson = { name: string; password: string }

/** Null for somebody who has an account. Throws `INVALID_FIELD` for a half of what a new one needs. */
function newPerson({ name, password }: { [Key in keyof NewPerson]?: string | undefined }) {
  if (name !== undefined && password !== undefined) return { name, password }
  if (name === undefined && password === undefined) return null
  const field = name === undefined ? 'name' : 'password'
  throw invalidFields([{ field, description: 'is needed' }])
}
