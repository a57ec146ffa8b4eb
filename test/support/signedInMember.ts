import { randomBytes } from 'node:crypto'
import { createConsole } from '../../api/console/createConsole.ts'
import type { Role } from '../../domain/access/role.ts'
import type { TestApi, TestApiOptions } from './api.ts'
import { CONSOLE_ORIGIN, type ConsoleClient } from './consoleClient.ts'
import { emailOf, joinConsole } from './consoleMembers.ts'

/** The option of `startTestApi` that members need. */
export const withConsole: NonNullable<TestApiOptions['console']> = (services) =>
  createConsole({ ...services, origin: CONSOLE_ORIGIN, oidc: null, hasLocalSignIn: false })

/** A browser in which a new member of an organization is signed in. */
export function signedInMember(
  api: TestApi,
  membership: { organizationId: string; role: Role },
): Promise<ConsoleClient> {
  const email = emailOf(randomBytes(6).toString('hex'))
  return joinConsole(api, { name: 'Ada', email, ...membership })
}
