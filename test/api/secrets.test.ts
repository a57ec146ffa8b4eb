import { randomBytes } from 'node:crypto'
import { pino } from 'pino'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatKey, randomKeyParts } from '../../domain/access/keyFormat.ts'
import { createKey, revokeKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { PERMISSIONS } from '../../domain/access/permissions.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { databaseText } from '../support/databaseText.ts'
import { freePorts } from '../support/freePorts.ts'
import { startTestMetrics } from '../support/testMetrics.ts'

/**
 * Creates keys, and sends them and permits to every endpoint, valid and malformed, also while nodes and
 * the database fail. Then searches everything that is stored or logged for them.
 */

const NODE_KEY = randomBytes(16).toString('hex')
const lines: string[] = []
const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
let api: TestApi
let metrics: Awaited<ReturnType<typeof startTestMetrics>>
beforeAll(async () => {
  const [nobody = 0] = await freePorts(1)
  const node = `http://127.0.0.1:${nobody}/v2/${NODE_KEY}`
  api = await startTestApi({ logger, isRecording: true, rpcUrls: { 1: [node], 4663: [node] } })
  metrics = await startTestMetrics(api.context, logger)
})
afterAll(async () => {
  await metrics?.stop()
  await api?.stop()
})

/** The texts that must not be found: the whole secret, and its random part alone. */
const secretsOf = (key: string): string[] => [key, key.split('_')[2] ?? key]

async function use(key: string, signature: Hex) {
  const headers = { 'x-api-key': key }
  const address = `0x${'11'.repeat(20)}`
  const permit = { permitSignature: signature, permitDeadline: '1900000000' }
  const deposit = {
    vaultAddress: address,
    depositAsset: address,
    depositAmount: '1',
    userAddress: address,
    chainId: '1',
    ...permit,
  }
  const quote = {
    userAddress: address,
    offerAmount: '1',
    offerAsset: address,
    sourceChainId: '1',
    wantAsset: address,
    destinationChainId: '4663',
    ...permit,
  }
  const query = (values: Record<string, string>) => new URLSearchParams(values)
  const post = (path: string, body: unknown) =>
    fetch(`${api.url}${path}`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const graphql = {
    query: `{ deposit(vaultAddress: "${address}", depositAsset: "${address}", depositAmount: "1",
      userAddress: "${address}", chainId: 1, permitSignature: "${signature}") { to } }`,
  }
  const answers = await Promise.all([
    fetch(`${api.url}/v2/earn/deposit?${query(deposit)}`, { headers }),
    fetch(`${api.url}/v1/transit/orders/quote?${query(quote)}`, { headers }),
    fetch(`${api.url}/v1/transit/orders?${query({ apiKey: key })}`),
    fetch(`${api.url}/v1/transit/orders?${query({ filter: key })}`),
    fetch(`${api.url}/v1/transit/orders/${key}`),
    fetch(`${api.url}/${key}/${signature}`),
    fetch(`${api.url}/v1/transit/orders?${query({ userAddress: address })}`, { headers }),
    fetch(`${api.url}/health`),
    post('/graphql', graphql),
    post('/graphql', { query: `{ ${key} }` }),
    post('/graphql', { query: `query of_${key} { __typename }` }),
    fetch(`${api.url}/v1/transit/orders`, { headers: { ...headers, 'x-request-id': key } }),
    post('/graphql/stream', graphql),
    post(`/graphql?x=${signature}`, { query: '{ _meta { chains { head } } }' }),
  ])
  await Promise.all(answers.map((answer) => answer.text()))
}

test('default: no secret that was handed out is in the database, the logs or the metrics', async () => {
  const { sql } = api.context
  const { id: organizationId } = await createOrganization(api.administrator, 'Acme')
  const made = await Promise.all(
    [{}, {}, { expiresAt: new Date(0) }].map((more) =>
      createKey(api.administrator, { organizationId, permissions: PERMISSIONS, ...more }),
    ),
  )
  await revokeKey(api.administrator, made[1]?.publicId ?? '')
  const keys = [...made.map(({ key }) => key), formatKey(randomKeyParts())]
  const signatures = keys.map((): Hex => `0x${randomBytes(65).toString('hex')}`)
  for (const [index, key] of keys.entries()) await use(key, signatures[index] ?? '0x')
  // Postgres errors carry statements and parameters.
  await sql`alter table app.api_key rename column secret_hash to misplaced`
  const unread = await createKeyFor(organizationId)
  await use(unread, signatures[0] ?? '0x')
  await sql`alter table app.api_key rename column misplaced to secret_hash`

  await api.recorder?.flush()
  const kept = {
    database: await databaseText(sql),
    logs: lines.join('\n'),
    metrics: await (await fetch(metrics.url)).text(),
  }
  // Each place must have contained something to search.
  expect(kept.database).toContain(made[0]?.publicId)
  const [logged] = await sql`select count(*)::integer as count from app.request_log`
  expect(logged?.count).toBeGreaterThan(0)
  expect(kept.logs).toContain(made[0]?.publicId)
  expect(kept.logs).toContain('unexpected failure')
  expect(kept.metrics).toContain('/v2/earn/deposit')
  const { appSecret } = api.context
  const secrets = [
    ...[...keys, unread].flatMap(secretsOf),
    ...signatures.flatMap((signature) => [signature, signature.slice(2, 66)]),
    NODE_KEY,
    Buffer.from(appSecret).toString('hex'),
  ]
  const found = Object.entries(kept).flatMap(([where, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${where}: ${secret}`),
  )
  expect(found).toEqual([])
})

/** Creates a key while the database fails. */
async function createKeyFor(organizationId: string): Promise<string> {
  const made = await createKey(api.administrator, { organizationId }).catch(() => null)
  return made?.key ?? formatKey(randomKeyParts())
}
