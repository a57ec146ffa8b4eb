import { afterAll, beforeAll, expect, test } from 'vitest'
import { createOrganization, setOrganization } from '../../domain/access/organizations.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { type ConsoleClient, setUpSecondFactor } from '../support/consoleClient.ts'
import {
  consoleBrowser,
  emailOf,
  joinConsole,
  PASSWORD,
  reasonOf,
} from '../support/consoleMembers.ts'
import { withConsole } from '../support/signedInMember.ts'
import { totp } from '../support/totp.ts'

/** Codes of authenticator apps, and recovery codes. */

let api: TestApi
let acme: string
beforeAll(async () => {
  api = await startTestApi({
    console: withConsole,
    trustedProxies: ['127.0.0.1'],
  })
  acme = (await createOrganization(api.administrator, 'Acme')).id
})
afterAll(() => api?.stop())

const browser = () => consoleBrowser(api.url)

const signIn = (client: ConsoleClient, name: string) =>
  client.console('/sign-in', { body: { email: emailOf(name), password: PASSWORD } })

const sendCode = (client: ConsoleClient, code: string) =>
  client.console('/sign-in/second-factor', { body: { code } })

/** A browser that waits for the code of a sign-in. */
async function challenged(name: string): Promise<ConsoleClient> {
  const client = browser()
  expect((await signIn(client, name)).body).toEqual({ needsSecondFactor: true })
  return client
}

/** A member who has set up a factor, which is not on yet. */
async function enrolling(name: string) {
  const client = await joinConsole(api, { name, organizationId: acme, role: 'owner' })
  return { client, ...(await setUpSecondFactor(client, PASSWORD)) }
}

/** A member whose factor is on, and the code that was used for it. */
async function enrolled(name: string) {
  const made = await enrolling(name)
  const used = totp(made.secret)
  const body = { code: used }
  expect((await made.client.console('/second-factor/confirm', { body })).status).toBe(200)
  return { ...made, used }
}

const refused = [401, 'SIGN_IN_REFUSED']
const locked = [429, 'SIGN_IN_LOCKED']
/** An account has five guesses. */
const wrongCodes = Array.from({ length: 8 }, (_, index) => `00000${index}`)
const sixCodes = wrongCodes.slice(0, 6)

test('default: a code, a recovery code; error: a wrong one', async () => {
  const { secret, recoveryCodes } = await enrolled('erin')
  const next = await challenged('erin')
  expect((await next.console('/session')).body.member).toBeNull()
  expect(reasonOf(await sendCode(next, '000000'))).toEqual(refused)
  expect((await sendCode(next, totp(secret, 1))).status).toBe(200)
  expect((await next.console('/session')).body.member).toMatchObject({ hasSecondFactor: true })
  const [recoveryCode] = recoveryCodes
  for (const expected of [200, 401]) {
    const third = await challenged('erin')
    const answer = await third.console('/sign-in/second-factor', { body: { recoveryCode } })
    expect(answer.status).toBe(expected)
  }
})

test('error: with a session the account has no more guesses: none at sign-in, five to prove', async () => {
  const { client, secret } = await enrolled('fay')
  for (const code of sixCodes) expect(reasonOf(await sendCode(client, code))).toEqual(refused)
  expect(reasonOf(await sendCode(client, totp(secret)))).toEqual(refused)
  const proofs = []
  for (const code of sixCodes) {
    proofs.push(reasonOf(await client.console('/reauthenticate', { body: { code } })))
    // A right password does not forgive codes.
    await client.console('/reauthenticate', { body: { password: PASSWORD } })
  }
  expect(proofs).toEqual([...Array(5).fill(refused), locked])
  // The same count as at a sign-in, at any address.
  expect(reasonOf(await sendCode(await challenged('fay'), totp(secret)))).toEqual(locked)
})

test('error: many challenges of an account share its five guesses, also at once', async () => {
  const { secret } = await enrolled('gil')
  const clients = []
  for (const _ of wrongCodes) clients.push(await challenged('gil'))
  const answers = await Promise.all(
    clients.map((client, index) => sendCode(client, wrongCodes[index] ?? '')),
  )
  const reasons = answers.map((answer) => reasonOf(answer)[1])
  expect(reasons.filter((reason) => reason === 'SIGN_IN_REFUSED')).toHaveLength(5)
  expect(reasonOf(await sendCode(await challenged('gil'), totp(secret)))).toEqual(locked)
})

test('error: a code works once, wherever it is used, also at once', async () => {
  const { client, secret, used } = await enrolled('hal')
  const code = totp(secret, 1)
  const two = [await challenged('hal'), await challenged('hal')]
  const answers = await Promise.all(two.map((one) => sendCode(one, code)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401])
  const again = await client.console('/reauthenticate', { body: { code } })
  expect(reasonOf(again)).toEqual(refused)
  // That of the set-up was used too.
  expect(reasonOf(await sendCode(await challenged('hal'), used))).toEqual(refused)
})

test('error: a proof with a code does not turn on a factor that is only set up', async () => {
  const { client, secret } = await enrolling('ida')
  const answer = await client.console('/reauthenticate', { body: { code: totp(secret) } })
  expect(reasonOf(answer)).toEqual(refused)
  expect((await client.console('/session')).body.member).toMatchObject({ hasSecondFactor: false })
  const body = { code: totp(secret) }
  expect((await client.console('/second-factor/confirm', { body })).status).toBe(200)
})

test('default: an organization may require a factor of its members, also of open sessions', async () => {
  const { id } = await createOrganization(api.administrator, 'Strict')
  const join = (name: string) =>
    joinConsole(api, { name, organizationId: id, role: 'owner', isOperator: name === 'lou' })
  const members = [await join('kim'), await join('lou')]
  await setOrganization(api.administrator, id, { requiresSecondFactor: true })
  for (const client of members) {
    const query = () => client.graphql('{ members { members { email } } }', id)
    expect(reasonOf(await query())).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    const made = await client.console('/second-factor', { body: { password: PASSWORD } })
    expect(reasonOf(await query())).toEqual([403, 'SECOND_FACTOR_NEEDED'])
    const secret = new URL(String(made.body.totpUri)).searchParams.get('secret') ?? ''
    await client.console('/second-factor/confirm', { body: { code: totp(secret) } })
    expect((await query()).body).toMatchObject({ data: { members: {} } })
  }
})

test('default: turning it on ends all other sessions', async () => {
  const { client, secret } = await enrolling('jon')
  const other = browser()
  expect((await signIn(other, 'jon')).body).toEqual({ needsSecondFactor: false })
  const body = { code: totp(secret) }
  expect((await client.console('/second-factor/confirm', { body })).status).toBe(200)
  expect((await client.console('/session')).body.member).toMatchObject({ hasSecondFactor: true })
  expect((await client.console('/sessions')).body.sessions).toHaveLength(1)
  expect(reasonOf(await other.console('/sessions'))).toEqual(refused)
})
