import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { runAdmin } from '../../cli/admin/runAdmin.ts'
import { sealSecret } from '../../domain/secret/sealedSecret.ts'
import { endedCommand } from '../support/endedCommand.ts'
import { freePorts } from '../support/freePorts.ts'
import { noteSecret } from '../support/handedOut.ts'
import { until } from '../support/until.ts'
import { isVerified } from '../support/webhookReceiver.ts'
import { createWebhookWorld, type WebhookWorld } from '../support/webhookWorld.ts'

let world: WebhookWorld
beforeAll(async () => {
  world = await createWebhookWorld()
})
afterAll(() => world.stop())

const environment = (variables: Record<string, string>) => ({
  DATABASE_URL: world.databaseUrl,
  APP_SECRET: randomBytes(32).toString('hex'),
  SECRETS_KEY: Buffer.from(world.administrator.secretsKey).toString('hex'),
  WEBHOOK_ALLOW_PRIVATE: 'true',
  ...variables,
})

async function admin(parameters: string[], variables: Record<string, string> = {}) {
  const { code, stdout, stderr } = await endedCommand(
    runAdmin,
    ['--json', 'webhooks', ...parameters],
    environment(variables),
  )
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

describe('admin webhooks', () => {
  test('default: made, rotated, delivered again', async () => {
    const { endpoint, secret } = await admin([
      'create',
      '--organization',
      'Acme',
      '--url',
      world.receiver.url,
      '--event',
      'smart_deposit.*,ping',
    ])
    noteSecret(secret)
    expect(endpoint.eventTypes).toEqual(['smart_deposit.*', 'ping'])
    const rotated = await admin(['rotate', endpoint.id, '--overlap', '1h'])
    noteSecret(rotated.secret)
    await world.work()
    const [id = ''] = await world.record('deposit', ['a'])
    const [first] = await world.receiver.until(1)
    expect([secret, rotated.secret].map((one) => first && isVerified(first, one))).toEqual([
      true,
      true,
    ])
    await until(async () => (await world.deliveries())[0]?.status === 'delivered')
    await admin(['redeliver', endpoint.id, id])
    await world.receiver.until(2)
    await until(async () => (await world.deliveries())[0]?.status === 'delivered')
    expect(await admin(['attempts', endpoint.id, id])).toMatchObject(
      Array(2).fill({ requestUrl: world.receiver.url, responseStatus: 204, error: null }),
    )
  })

  test('behavior: disabled, enabled, listed; all of it audited', async () => {
    await world.rest()
    const { endpoint } = await world.endpoint(world.receiver.url)
    const [id] = await world.record('listed', ['a'])
    const deliveries = ['deliveries', endpoint.id, '--status', 'waiting']
    expect(await admin(deliveries)).toMatchObject([{ eventId: id }])
    await admin(['disable', endpoint.id])
    const listed = await admin(['list', '--organization', 'Acme'])
    expect(listed).toContainEqual(
      expect.objectContaining({ id: endpoint.id, status: 'disabled', waiting: 1, dead: 0 }),
    )
    await admin(['enable', endpoint.id])
    const audit = await world.sql`
      select action, actor like 'cli:%' as "isByHand" from app.audit where subject = ${endpoint.id}
      order by id`
    expect(audit.map(({ action, isByHand }) => [action, isByHand])).toEqual([
      ['webhook.create', false],
      ['webhook.change', true],
      ['webhook.change', true],
    ])
  })

  test('behavior: a replay, its state, and its end', async () => {
    const { endpoint } = await world.endpoint(world.receiver.url)
    await world.record('replayed', ['a', 'b'])
    const { eventId } = await admin(['test', endpoint.id, 'transit.order.submitted'])
    expect(eventId).toMatch(/^evt_/)
    const begun = await admin(['replay', endpoint.id, '--last', '1h', '--event', 'smart_deposit.*'])
    expect(begun).toMatchObject({ status: 'running', position: begun.afterSequence })
    await world.work()
    await until(async () => (await admin(['replay-state', endpoint.id])).status === 'completed')
    expect(await admin(['cancel-replay', endpoint.id])).toMatchObject({ status: 'completed' })
    await world.rest()
  })

  test('error: types that no event can match are refused, and shown of an endpoint that has them', async () => {
    const place = ['create', '--organization', 'Acme', '--url', world.receiver.url]
    const refused = admin([...place, '--event', 'withdrawal.request.*,smart_deposit.*'])
    await expect(refused).rejects.toThrow('events of withdrawal.request.* can match')
    const { endpoint } = await world.endpoint(world.receiver.url)
    await world.sql`
      update app.webhook_endpoint set event_types = '{withdrawal.*,ping}' where id = ${endpoint.id}`
    expect(await admin(['list'])).toContainEqual(
      expect.objectContaining({ id: endpoint.id, filter: null, unmatched: ['withdrawal.*'] }),
    )
  })

  test('error: no such endpoint, no SECRETS_KEY, a bad URL', async () => {
    await expect(admin(['disable', 'none'])).rejects.toThrow('no webhook endpoint')
    const create = ['create', '--organization', 'Acme', '--event', '*', '--url']
    await expect(admin([...create, world.receiver.url], { SECRETS_KEY: '' })).rejects.toThrow(
      'SECRETS_KEY is not set',
    )
    await expect(admin([...create, 'ftp://x'])).rejects.toThrow('url: expected an https URL')
  })
})

test('webhook-listen: error: a port that is taken is named', async () => {
  const { port } = new URL(world.receiver.url)
  const child = spawn(process.execPath, ['cli/webhookListen.ts', '--port', port, '--secret', 'a'])
  let output = ''
  child.stderr.on('data', (data) => {
    output += String(data)
  })
  const [code] = await once(child, 'close')
  expect([code, output]).toEqual([1, expect.stringContaining(`127.0.0.1:${port}, take another`)])
})

test.each([
  ['--port', 'abc', 'a port from 1 to 65535'],
  ['--port', '65536', 'a port from 1 to 65535'],
  ['--status', '99', 'a status from 200 to 599'],
  ['--status', 'busy', 'a status from 200 to 599'],
])('webhook-listen: error: %s %s', async (option, value, expected) => {
  const child = spawn(process.execPath, ['cli/webhookListen.ts', '--secret', 'a', option, value])
  onTestFinished(() => void child.kill('SIGTERM'))
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += String(data)
    })
  await until(async () => output.includes('\n'))
  expect(output).toMatch(
    new RegExp(`^error: option '${option} .* is invalid. expected ${expected}\n$`),
  )
})

test('webhook-listen: default: prints each webhook and whether it is verified; what is no webhook ends nothing', async () => {
  const { endpoint, secret } = await world.endpoint(world.receiver.url, { eventTypes: ['ping'] })
  const [port = 0] = await freePorts(1)
  const url = `http://127.0.0.1:${port}/`
  await world.sql`
    update app.webhook_endpoint set url = ${url}, event_types = '{*}' where id = ${endpoint.id}`
  const parameters = ['--port', String(port), '--secret', secret, '--json']
  const { output } = await startListening(parameters)
  for (const body of ['no JSON', 'null', '']) {
    expect((await fetch(url, { method: 'POST', body })).status).toBe(204)
    await until(async () => output().includes(`"event":${JSON.stringify(body)}`))
  }
  await leaveWithin(port)
  await world.work()
  await world.record('listened', ['a'])
  await until(async () => output().includes('"verified"'))
  const other = sealSecret('whsec_b3RoZXI=', endpoint.id, world.administrator.secretsKey)
  await world.sql`update app.webhook_secret set sealed = ${other} where endpoint_id = ${endpoint.id}`
  await world.record('listened', ['b'])
  await until(async () => output().includes('"NOT VERIFIED"'))
  expect(output()).toContain('smart_deposit.deposit.pending')
})

test('webhook-listen: behavior: what a stranger sends is printed as text, and ends nothing', async () => {
  const [port = 0] = await freePorts(1)
  const parameters = ['--port', String(port), '--secret', 'whsec_b3RoZXI=']
  const { child, output } = await startListening(parameters)
  for (const name of ['type', 'amounts']) {
    const body = JSON.stringify({ [name]: { toString: 1 } })
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    expect([name, answer.status]).toEqual([name, 204])
  }
  await until(async () => output().includes('amounts: {"toString":1}'))
  expect(child.exitCode).toBeNull()
})

/** A sender that ends its connection within the body. */
async function leaveWithin(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nbegun')
  await sleep(200)
  socket.destroy()
  await sleep(200)
}

/** `webhook-listen` with these parameters, once it listens, and what it has printed. */
async function startListening(parameters: string[]) {
  const child = spawn(process.execPath, ['cli/webhookListen.ts', ...parameters])
  onTestFinished(() => void child.kill('SIGTERM'))
  let printed = ''
  child.stdout.on('data', (data) => {
    printed += String(data)
  })
  await until(async () => printed.includes('Listening'))
  return { child, output: () => printed }
}
