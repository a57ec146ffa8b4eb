import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createConsole } from '../../api/console/createConsole.ts'
import { EXAMPLE_REPORT } from '../../cli/rehearse/exampleReport.ts'
import { writeReport } from '../../cli/rehearse/writeReport.ts'
import { invite } from '../../domain/access/invitations.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import type { Role } from '../../domain/access/role.ts'
import { createLogger } from '../../processes/logger.ts'
import { deliverWebhooks } from '../../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../../worker/worker.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { DESKTOP, observe, observeIn, startBrowser } from '../support/browser.ts'
import { builtConsole } from '../support/builtConsole.ts'
import { freePorts } from '../support/freePorts.ts'
import { looksWell } from '../support/looksWell.ts'
import { totp } from '../support/totp.ts'
import { accept, answer, type Receiver, startReceiver } from '../support/webhookReceiver.ts'

const PASSWORD = 'correct horse battery'

let folder: string
let reportFile: string
let api: TestApi
let browser: Browser
let receiver: Receiver
let worker: { stop(): Promise<void> }
let acme: string
beforeAll(async () => {
  await builtConsole()
  const [port = 0] = await freePorts(1)
  folder = await mkdtemp(join(tmpdir(), 'causeway-developers-'))
  reportFile = join(folder, 'report.json')
  const origin = `http://127.0.0.1:${port}`
  api = await startTestApi({
    port,
    isRecording: true,
    rehearsalReport: reportFile,
    console: (services) => createConsole({ ...services, origin, oidc: null, hasLocalSignIn: true }),
  })
  const { sql, secretsKey } = api.context
  const logger = createLogger('test', 'silent')
  const part = deliverWebhooks({ sql, secretsKey, logger, allowPrivate: true })
  worker = await startWorker({ databaseUrl: api.databaseUrl, parts: [part], logger })
  acme = (await createOrganization(api.administrator, 'Acme')).id
  receiver = await startReceiver()
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await worker?.stop()
  await receiver?.stop()
  await api?.stop()
  await rm(folder, { recursive: true })
})

function invitation(name: string, role: Role) {
  const membership = { organizationId: acme, role }
  const email = `${name}@acme.example`
  return invite(api.administrator, { email, membership, isOperator: false })
}

/** A page of a new member of Acme, who is signed in. */
async function open(path: string, { name, role }: { name: string; role: Role }): Promise<Page> {
  const { token } = await invitation(name, role)
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-US' })
  await context.request.post(`${api.url}/console/api/invitations/accept`, {
    data: { token, name, password: PASSWORD },
    headers: { origin: api.url },
  })
  const { page } = await observeIn(context, `${api.url}${path}`)
  return page
}

async function signIn(page: Page, name: string, password = PASSWORD) {
  await page.getByLabel('Email').fill(`${name}@acme.example`)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('default: one click signs in to the local world, and leads back', async () => {
  const { page } = await observe(browser, `${api.url}/console/webhooks`, DESKTOP)
  await page.getByText('Sign in to see this').waitFor()
  await looksWell(page)
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign in to the local world' }).waitFor()
  await looksWell(page)
  await page.getByRole('button', { name: 'Sign in to the local world' }).click()
  await page.waitForURL('**/console/webhooks')
  await page.getByText('No endpoint yet').waitFor()
  // An operator speaks for any organization.
  await page.getByLabel('Organization').selectOption('Acme')
  await page.getByRole('button', { name: 'Local operator' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Sign in to see this').waitFor()
  await page.context().close()
})

let ada: { page: Page; secret: string; recoveryCode: string }

test('default: an owner accepts an invitation, and sets up a second factor', async () => {
  const { token } = await invitation('ada', 'owner')
  const { page } = await observe(browser, `${api.url}/console/invitation#${token}`, DESKTOP)
  await page.getByRole('heading', { name: 'Join Acme' }).waitFor()
  await page.getByLabel('Your name').fill('ada')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('button', { name: 'ada' }).click()
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Set it up' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  await looksWell(page)
  const secret = (await page.locator('.secret code').textContent()) ?? ''
  await page.getByLabel('Code of the app').fill(totp(secret))
  await page.getByRole('button', { name: 'Turn it on' }).click()
  const recoveryCode = (await page.locator('.recovery-codes code').first().textContent()) ?? ''
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('button', { name: 'New recovery codes' }).waitFor()
  ada = { page, secret, recoveryCode }
})

test.each(['app', 'recovery'])('default: a sign-in with a code of the %s', async (kind) => {
  const { page, secret, recoveryCode } = ada
  await page.getByRole('button', { name: 'ada' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, 'ada', 'a wrong password')
  await page.getByRole('alert').getByText('is wrong').waitFor()
  await signIn(page, 'ada')
  // A code works once, and that of the present was used a moment ago.
  if (kind === 'app') await page.getByLabel('Code of your authenticator app').fill(totp(secret, 1))
  else {
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCode)
  }
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.waitForURL('**/console/account')
  await page.getByText('This session').waitFor()
})

test('default: a key is made, its secret shown once, its call seen in the log and in the usage', async () => {
  const { page } = ada
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Make a key' }).click()
  await page.getByLabel('Name').fill('Wallet')
  await page.getByLabel('webhooks manage').check()
  await page.getByRole('combobox', { name: 'It ends' }).selectOption('in 30 days')
  await looksWell(page)
  await page.getByRole('button', { name: 'Make the key' }).click()
  const secret = (await page.locator('.secret code').textContent()) ?? ''
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByText('earn:read, webhooks').waitFor()
  await looksWell(page)
  const headers = { 'x-api-key': secret }
  const called = await fetch(`${api.url}/v2/webhooks/endpoints`, { headers })
  expect(called.status).toBe(200)
  await fetch(`${api.url}/v2/webhooks/endpoints/nothing`, { headers })
  await api.recorder?.flush()
  await page.getByRole('link', { name: 'Requests of Wallet' }).click()
  await page.getByText('GET /v2/webhooks/endpoints', { exact: true }).waitFor()
  await page.getByRole('combobox', { name: 'Outcome' }).selectOption('Invalid (4xx)')
  await page.getByText('WEBHOOK_ENDPOINT_NOT_FOUND').waitFor()
  await looksWell(page)
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Quotas now' }).waitFor()
  await page.locator('.stat', { hasText: 'Requests' }).getByText('2', { exact: true }).waitFor()
  await looksWell(page)
})

test('default: a key is rotated with an overlap, and revoked', async () => {
  const { page } = ada
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'Rotate Wallet' }).click()
  await page.getByRole('combobox', { name: 'The present key works for' }).selectOption('1 hour')
  await page.getByRole('button', { name: 'Make the new key' }).click()
  await page.getByRole('heading', { name: 'Your new key' }).waitFor()
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await page.getByRole('button', { name: 'Revoke Wallet' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Revoked').waitFor()
})

test('default: somebody is invited, and the invitation taken back; the audit log has both', async () => {
  const { page } = ada
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('cell', { name: 'ada ada@acme.example' }).waitFor()
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('Email').fill('new@acme.example')
  await page.getByRole('button', { name: 'Make the link' }).click()
  expect(await page.locator('.secret code').textContent()).toContain('/console/invitation#')
  await page.getByRole('button', { name: 'I have kept it' }).click()
  await looksWell(page)
  await page.getByRole('button', { name: 'Take it back from new@acme.example' }).click()
  await page.getByText('Revoked').waitFor()
  await page.getByRole('button', { name: 'Remove ada' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('alert').getByText('the only owner').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByRole('combobox', { name: 'Action' }).selectOption('member.revoke_invitation')
  await page.getByRole('cell', { name: 'member.revoke_invitation' }).waitFor()
  await looksWell(page)
})

test('default: the API reference speaks as the person who is signed in', async () => {
  const { page } = ada
  const path = '/docs/reference#tag/transit/GET/v1/transit/orders'
  await page.goto(`${api.url}${path}`, { waitUntil: 'commit' })
  await page.locator('button', { hasText: '/v1/transit/orders)' }).click()
  const [request] = await Promise.all([
    page.waitForRequest((sent) => sent.url().includes('/v1/transit/orders')),
    page.getByRole('button', { name: /^send/i }).first().click(),
  ])
  expect(request.headers()['x-causeway-organization']).toBe(acme)
  expect((await request.response())?.status()).toBe(200)
})

test('behavior: a session that cannot be read at first is read again', async () => {
  const { page } = ada
  await page.route('**/console/api/session', (route) => route.abort())
  await page.goto(`${api.url}/console/keys`)
  await page.getByText('This needs an API key').waitFor()
  await page.unroute('**/console/api/session')
  await page.getByRole('button', { name: 'ada' }).waitFor()
  await page.getByText('Wallet').first().waitFor()
})

let dev: Page

test('default: an endpoint is added by the wizard, and its secret shown once', async () => {
  dev = await open('/console/webhooks', { name: 'dev', role: 'developer' })
  await dev.getByRole('button', { name: 'Add an endpoint' }).click()
  await dev.getByLabel('URL').fill(receiver.url)
  await dev.getByLabel('Purpose').fill('A test')
  await dev.getByRole('button', { name: 'Next' }).click()
  await dev.getByLabel('transit.order.processed').check()
  await dev.getByRole('group', { name: 'Smart deposits' }).getByLabel('All of these').check()
  await looksWell(dev)
  await dev.getByRole('button', { name: 'Next' }).click()
  await dev.getByLabel('Events of everybody').check()
  await dev.getByRole('button', { name: 'Add the endpoint' }).click()
  expect(await dev.locator('.secret code').textContent()).toMatch(/^whsec_/)
})

test('default: a delivery fails, is seen whole, and is sent again', async () => {
  receiver.behave(answer(500))
  await dev.getByRole('button', { name: 'Send a ping' }).click()
  await receiver.until(1)
  await dev.getByRole('link', { name: 'To the endpoint' }).click()
  await dev.getByText('Failing', { exact: true }).waitFor()
  await dev.getByText('answered 500').first().waitFor()
  await looksWell(dev)
  await dev.getByRole('button', { name: 'ping', exact: true }).click()
  await dev.getByText('"type": "ping"').waitFor()
  const dialog = dev.getByRole('dialog')
  // A retry may be among the attempts.
  await dialog.getByText('{"said":"no"}').first().waitFor()
  await dialog.getByText('webhook-signature: v1,').first().waitFor()
  await looksWell(dev)
  receiver.behave(accept)
  await dev.getByRole('button', { name: 'Send it again' }).click()
  await dialog.getByText('Delivered').waitFor()
  await dialog.locator('.attempts summary', { hasText: '204' }).first().waitFor()
  await dialog.locator('.attempts summary', { hasText: '500' }).first().waitFor()
  const [first, again] = await receiver.until(2)
  expect(again?.event.id).toBe(first?.event.id)
  await dev.getByRole('button', { name: 'Close' }).click()
})

test('default: deliveries and events are filtered, and an endpoint is changed', async () => {
  await dev.getByRole('combobox', { name: 'Status' }).selectOption('Dead')
  await dev.getByText('No delivery fits').waitFor()
  await dev.getByRole('button', { name: 'Edit' }).click()
  await dev.getByLabel('Purpose').waitFor()
  await dev.getByRole('button', { name: 'Next' }).click()
  await dev.getByRole('button', { name: 'Next' }).click()
  await dev.getByRole('button', { name: 'Save' }).click()
  await dev.getByText('None: events of all').waitFor()
  await dev.getByRole('link', { name: 'Event log' }).click()
  await dev.getByRole('button', { name: 'ping', exact: true }).waitFor()
  await dev.getByRole('combobox', { name: 'Type' }).selectOption('transit.*')
  await dev.getByText('No event fits').waitFor()
  await looksWell(dev)
})

test('behavior: a viewer sees why nothing can be changed', async () => {
  const page = await open('/console/webhooks', { name: 'ivy', role: 'viewer' })
  const add = page.getByRole('button', { name: 'Add an endpoint' })
  expect(await add.getAttribute('aria-disabled')).toBe('true')
  await add.focus()
  await page.getByRole('tooltip').getByText('may look at this but not change it').waitFor()
  await page.goto(`${api.url}/console/members`)
  const invites = page.getByRole('button', { name: 'Invite somebody' })
  expect(await invites.getAttribute('aria-disabled')).toBe('true')
  await page.goto(`${api.url}/console/webhooks/new`)
  await page.getByText('Your role may not change this').waitFor()
  await looksWell(page)
  expect(await page.getByRole('link', { name: 'Stop routes' }).count()).toBe(0)
  await page.goto(`${api.url}/console/admin/organizations`)
  await page.getByText('Your role does not include this').waitFor()
  await page.context().close()
})

test('default: an operator sees the last rehearsal, where a text of a node stays text, and changes members', async () => {
  const context = await browser.newContext({ viewport: DESKTOP, locale: 'en-US' })
  const { token } = await invite(api.administrator, {
    email: 'op@acme.example',
    membership: null,
    isOperator: true,
  })
  await context.request.post(`${api.url}/console/api/invitations/accept`, {
    data: { token, name: 'op', password: PASSWORD },
    headers: { origin: api.url },
  })
  const { page } = await observeIn(context, `${api.url}/console/admin/rehearsal`)
  await page.getByText('There is no report', { exact: true }).waitFor()
  await looksWell(page)
  const message = '<img src=x onerror="alert(1)"> is not a block'
  await writeReport(reportFile, {
    ...EXAMPLE_REPORT,
    lines: EXAMPLE_REPORT.lines.map((line) => ({ ...line, message })),
  })
  await page.reload()
  await page.getByText(message).first().waitFor()
  await page.getByText('Ask both providers.').first().waitFor()
  await page.getByText('86,400 calls').waitFor()
  expect(await page.locator('main img').count()).toBe(0)
  await looksWell(page)
  // An operator changes the members of every organization, whichever is chosen.
  const other = await createOrganization(api.administrator, 'Aardvark')
  await page.goto(`${api.url}/console/admin/organizations/${acme}`)
  await page.getByRole('combobox', { name: 'Organization' }).selectOption(other.id)
  await page.getByRole('button', { name: 'Role of ivy' }).click()
  await page.getByRole('combobox', { name: 'Role' }).selectOption('DEVELOPER')
  await page.getByRole('button', { name: 'Change the role' }).click()
  await page.getByRole('row').filter({ hasText: 'ivy' }).getByText('Developer').waitFor()
  await page.getByRole('button', { name: 'Remove ivy' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('cell', { name: 'ivy' }).waitFor({ state: 'detached' })
  await looksWell(page)
  await context.close()
})

test('behavior: a session that has ended leads to the sign-in and back', async () => {
  const path = '/console/webhooks/catalogue?type=vault.paused'
  const page = await open(path, { name: 'eve', role: 'owner' })
  await page.getByText('"type": "vault.paused"').waitFor()
  await api.context.sql`delete from app.console_session`
  await page.getByRole('link', { name: 'Event log' }).click()
  await page.getByRole('heading', { name: 'Your session has ended' }).waitFor()
  await looksWell(page)
  await signIn(page, 'eve')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'ping', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/console/events')
  await page.context().close()
})

test('error: a sign-out that fails is shown, and the session is still open', async () => {
  const page = await open('/console/keys', { name: 'sam', role: 'owner' })
  await page.route('**/console/api/sign-out', (route) => route.abort())
  await page.getByRole('button', { name: 'sam' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('alert').waitFor()
  await page.unroute('**/console/api/sign-out')
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  await page.context().close()
})

test('behavior: a secret needs a fresh proof, and the change is then made', async () => {
  const page = await open('/console/webhooks', { name: 'kay', role: 'owner' })
  await page.getByRole('link', { name: receiver.url }).click()
  await api.context
    .sql`update app.console_session set authenticated_at = now() - interval '11 minutes'`
  await page.getByRole('button', { name: 'Rotate the secret' }).click()
  await page.getByRole('button', { name: 'Make a new secret' }).click()
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor()
  await page.getByLabel('Password').fill('a wrong password')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByRole('heading', { name: 'The new signing secret' }).waitFor()
  expect(await page.locator('.secret code').last().textContent()).toMatch(/^whsec_/)
  await page.context().close()
})

let pat: Page

test('default: all that failed since a time are sent again, and no others', async () => {
  pat = await open('/console/webhooks', { name: 'pat', role: 'developer' })
  await pat.getByRole('link', { name: receiver.url }).click()
  const { sql } = api.context
  const before = receiver.received.length
  receiver.behave(answer(500))
  for (let ping = 0; ping < 3; ping++) {
    const sent = pat.waitForResponse((response) => response.url().endsWith('/ping'))
    await pat.getByRole('button', { name: 'Send a ping' }).click()
    await sent
  }
  await pat.getByText('Failing', { exact: true }).waitFor()
  // A dead delivery has twelve attempts in four days.
  await sql`update app.webhook_delivery set status = 'dead' where status = 'waiting'`
  await sql`
    update app.webhook_delivery set created_at = now() - interval '2 days'
    where status = 'dead' and resource_sequence = 2`
  receiver.behave(accept)
  await pat.getByRole('button', { name: 'Send several again' }).click()
  await pat.getByRole('combobox', { name: 'Recorded since' }).selectOption('the last day')
  await looksWell(pat)
  await pat.getByRole('button', { name: 'Send again' }).click()
  await pat.getByText('2 are sent again.').waitFor()
  const received = (await receiver.until(before + 3)).slice(before)
  expect(received.map(({ event }) => event.sequence)).toEqual([2, 3, 4])
  await pat.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await pat.getByRole('combobox', { name: 'Status' }).selectOption('Dead')
  await pat.getByRole('cell', { name: 'Dead' }).waitFor()
})

test('default: everything is sent again, the oldest first', async () => {
  const before = receiver.received.length
  await pat.getByRole('button', { name: 'Send several again' }).click()
  await pat
    .getByRole('combobox', { name: 'Which' })
    .selectOption('All of them, also the delivered ones')
  await pat.getByRole('combobox', { name: 'Recorded since' }).selectOption('the beginning')
  await pat.getByRole('button', { name: 'Send again' }).click()
  await pat.getByText('4 are sent again.').waitFor()
  const received = (await receiver.until(before + 4)).slice(before)
  expect(received.map(({ event }) => event.sequence)).toEqual([1, 2, 3, 4])
  await pat.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await pat.getByText('No delivery fits').waitFor()
  await pat.context().close()
})

test('error: repeated wrong passwords are locked out, and the wait is shown', async () => {
  const { page } = await observe(browser, `${api.url}/console/sign-in`, DESKTOP)
  const wrong = async () => {
    await signIn(page, 'nobody', 'a wrong password')
    await page.getByRole('alert').waitFor()
  }
  for (let attempt = 0; attempt < 5; attempt++) await wrong()
  await signIn(page, 'nobody', 'a wrong password')
  await page.getByText(/Try again in \d+ min/).waitFor()
  await page.context().close()
})
