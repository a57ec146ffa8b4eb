import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { invite } from '../../domain/access/invitations.ts'
import type { Role } from '../../domain/access/role.ts'
import type { TestApi } from './api.ts'
import { type ConsoleClient, consoleClient } from './consoleClient.ts'

export const PASSWORD = 'correct horse battery'

export const emailOf = (name: string) => `${name}@acme.example`

/** A browser at an address of its own, so that the attempts of one test are not those of another. */
export function consoleBrowser(
  url: string,
  address = `10.${randomBytes(3).join('.')}`,
): ConsoleClient {
  const client = consoleClient(url)
  const send = client.send
  const from = { 'x-forwarded-for': address }
  client.send = (path, sent) => send(path, { ...sent, headers: { ...from, ...sent?.headers } })
  client.console = (path, sent) => client.send(`/console/api${path}`, sent)
  client.graphql = (query, organizationId, headers = {}) =>
    client.send('/graphql', {
      body: { query },
      headers: { 'x-causeway-organization': organizationId, ...headers },
    })
  return client
}

type Joining = {
  name: string
  /** Default: that of the name. */
  email?: string
  organizationId: string
  /** Null for an operator who is no member. */
  role: Role | null
  isOperator?: boolean
}

/** A browser in which a new member of an organization is signed in. */
export async function joinConsole(
  { url, administrator }: TestApi,
  { name, email = emailOf(name), organizationId, role, isOperator = false }: Joining,
): Promise<ConsoleClient> {
  const client = consoleBrowser(url)
  const membership = role && { organizationId, role }
  const { token } = await invite(administrator, { email, membership, isOperator })
  const body = { token, name, password: PASSWORD }
  const { status } = await client.console('/invitations/accept', { body })
  expect(status).toBe(200)
  return client
}

/** The status and the reason of a refusal. */
export function reasonOf({ status, body }: Awaited<ReturnType<ConsoleClient['send']>>) {
  return [status, body.error?.details.find(({ reason }) => reason)?.reason]
}
