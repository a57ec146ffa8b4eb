import { type ExampleCall, type ExampleTarget, writeExample } from './writeExample.ts'

/** The token of nobody's invitation, in place of the one that was made. */
const SHOWN_LINK =
  'https://causeway.example/console/invitation#bm90IGEgdG9rZW4sIGFuIGV4YW1wbGUgb2Ygb25l'

type Target = Omit<ExampleTarget, 'headers'> & {
  /** The origin of the console's pages. */
  consoleOrigin: string
}

/** Signs in as the local operator, calls every route of members and of operators, and writes the answers. */
export async function writeMemberExamples({ consoleOrigin, ...target }: Target): Promise<void> {
  const headers = await signIn(target, consoleOrigin)
  const ask = (call: ExampleCall) => writeExample({ ...target, headers }, call)
  await writeOwnExamples(target, ask, consoleOrigin)
  await writeAdminExamples(ask)
}

type Ask = (call: ExampleCall) => Promise<object>

async function signIn({ apiUrl }: Pick<Target, 'apiUrl'>, origin: string) {
  const json = { 'content-type': 'application/json', origin }
  const signedIn = await fetch(`${apiUrl}/console/api/sign-in/local`, {
    method: 'POST',
    headers: json,
    body: '{}',
  })
  const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
  const cookie = cookies.join('; ')
  const session = await fetch(`${apiUrl}/console/api/session`, { headers: { cookie } })
  const { member } = (await session.json()) as {
    member: { organizations: { id: string; name: string }[] }
  }
  const local = member.organizations.find(({ name }) => name === 'Local')
  if (!local) throw new Error('There is no organization Local')
  return { cookie, origin, 'x-causeway-organization': local.id }
}

async function writeOwnExamples({ apiUrl }: Pick<Target, 'apiUrl'>, ask: Ask, origin: string) {
  const members = '/v1/access/members'
  const invitations = '/v1/access/invitations'
  const invite = (email: string, name = 'inviteMember') =>
    ask({
      name,
      method: 'POST',
      path: invitations,
      body: { email, role: 'DEVELOPER' },
      shown: (answer) => ({ ...answer, link: SHOWN_LINK }),
    }) as Promise<{ invitation: { id: string }; link: string }>
  const { link } = await invite('ada@example.org')
  await fetch(`${apiUrl}/console/api/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({
      token: link.split('#')[1],
      name: 'Ada',
      password: 'correct horse battery',
    }),
  })
  const { invitation } = await invite('bo@example.org')
  await ask({ name: 'listInvitations', path: `${invitations}?pageSize=2` })
  const revoked = `${invitations}/${invitation.id}`
  await ask({ name: 'revokeInvitation', method: 'DELETE', path: revoked })
  const listed = (await ask({ name: 'listMembers', path: `${members}?pageSize=2` })) as {
    members: { userId: string; email: string }[]
  }
  const ada = listed.members.find(({ email }) => email === 'ada@example.org')
  const path = `${members}/${ada?.userId}`
  await ask({ name: 'changeMemberRole', method: 'PATCH', path, body: { role: 'VIEWER' } })
  await ask({ name: 'removeMember', method: 'DELETE', path })
  await ask({ name: 'listAuditLog', path: '/v1/access/auditLog?pageSize=2' })
}

async function writeAdminExamples(ask: Ask) {
  const organizations = '/v1/admin/organizations'
  const post = (name: string, path: string, body: object = {}) =>
    ask({ name, method: 'POST', path, body })
  const created = (await post('createOrganization', organizations, { name: 'Acme' })) as {
    organization: { id: string }
  }
  const path = `${organizations}/${created.organization.id}`
  const body = { rateLimitTier: 'HIGH', slippageBps: 30 }
  await ask({ name: 'updateOrganization', method: 'PATCH', path, body })
  await ask({ name: 'listOrganizations', path: `${organizations}?pageSize=2` })
  await ask({ name: 'listOrganizationMembers', path: `${path}/members?pageSize=2` })
  await ask({ name: 'listOperators', path: '/v1/admin/operators?pageSize=2' })
  const reason = 'a price feed is doubtful'
  await post('stopTransitRoute', '/v1/admin/transitRoutes/stop', { reason })
  await ask({ name: 'listTransitStops', path: '/v1/admin/transitStops?pageSize=2' })
  await post('openTransitRoute', '/v1/admin/transitRoutes/open')
  await ask({ name: 'listIndexBuilds', path: '/v1/admin/indexBuilds?pageSize=2' })
  await ask({ name: 'listKeepers', path: '/v1/admin/keepers?pageSize=2' })
  await ask({ name: 'getRehearsal', path: '/v1/admin/rehearsal' })
  await ask({ name: 'listCompleteAuditLog', path: '/v1/admin/auditLog?pageSize=2' })
}
