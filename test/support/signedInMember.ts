import { randomBytes } from 'node:crypto'
import { createConsole } from '../../api/console/createConsole.ts'
import { invite } from '../../domain/access/invitations.ts'
import type { Role } from '../../domain/access/role.ts'
import type { TestApi, TestApiOptions } from './api.ts'
import { CONSOLE_ORIGIN, type ConsoleClient, consoleClient } from './consoleClient.ts'

/** The option of `startTestApi` that members need. */
export const withConsole: NonNullable<TestApiOptions['console']> = (services) =>
  createConsole({ ...services, origin: CONSOLE_ORIGIN, oidc: null, hasLocalSignIn: false })

type Membership = { organizationId: string; role: Role }

/** A browser in which a new member of an organization, or with null an operator, is signed in. */
export async function signedInMember(
  api: TestApi,
  membership: Membership | null,
): Promise<ConsoleClient> {
  const client = consoleClient(api.url)
  const { token } = await invite(api.administrator, {
    email: `${randomBytes(6).toString('hex')}@members.example`,
    membership,
    isOperator: membership === null,
  })
  const body = { token, name: 'Ada', password: 'correct horse battery' }
  const { status } = await client.console('/invitations/accept', { body })
  if (status !== 200) throw new Error(`The invitation was answered with ${status}`)
  return client
}
