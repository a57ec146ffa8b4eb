import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from 'postgres'
import { createKey } from '../../domain/access/keys.ts'
import { createOrganization } from '../../domain/access/organizations.ts'
import { type Line, lines } from '../doctor/line.ts'
import { callsToTry, type TriedCall } from './callsToTry.ts'
import { freePort } from './freePort.ts'
import { chainsOfNodes, type RehearsalOptions } from './rehearsal.ts'
import { runProcess } from './runProcess.ts'

const READY_MS = 60_000
const POLL_MS = 200
/** Without a key every quote ends here, after the state of the station, the prices and the limits. */
const NO_SIGNER = 'QUOTE_SIGNER_UNAVAILABLE'

type Scratch = { databaseUrl: string; bookPath: string; sql: Sql<{ bigint: bigint }> }
type Answer = { error?: { message: string; details: { reason?: string }[] } }

/**
 * Asks a real api for a quote of each route, and for a deposit and a withdrawal of each vault, simulated with holders of the
 * index. Nothing is signed or sent.
 */
export async function tryApi(options: RehearsalOptions, scratch: Scratch): Promise<Line[]> {
  const { error } = lines('api')
  const appSecret = randomBytes(32)
  const port = await freePort()
  const api = runProcess('processes/api.ts', {
    NODE_ENV: 'production',
    DATABASE_URL: scratch.databaseUrl,
    ADDRESS_BOOK: scratch.bookPath,
    APP_SECRET: appSecret.toString('hex'),
    SECRETS_KEY: randomBytes(32).toString('hex'),
    API_PORT: String(port),
    DRAIN_SECONDS: '0',
    RATE_LIMITS: 'off',
    REQUEST_LOG: 'off',
    ...Object.fromEntries(
      chainsOfNodes(options).map(({ chain, urls }) => [`RPC_URL_${chain.id}`, urls.join()]),
    ),
  })
  try {
    const url = `http://127.0.0.1:${port}`
    if (!(await untilReady(url, api.hasEnded)))
      return error(
        `it does not start: ${api.output().trim().split('\n').slice(-3).join(' ')}`,
        'Mend what it names.',
      )
    const headers = { 'x-api-key': await makeKey(scratch.sql, appSecret) }
    const calls = await callsToTry(options.book, scratch.sql)
    const found = new Map<string, Line[]>()
    for (const call of calls) {
      const line = await tryCall(url, headers, call)
      found.set(call.check, [...(found.get(call.check) ?? []), ...line])
    }
    return [...found].flatMap(([check, wrong]) => {
      const count = calls.filter((call) => call.check === check).length
      const well = count - wrong.length
      return [
        ...(well > 0 ? lines(check).ok(`${well} of ${count} are as they would be sent`) : []),
        ...wrong,
      ]
    })
  } finally {
    await api.stop()
  }
}

async function tryCall(
  url: string,
  headers: Record<string, string>,
  { check, what, path }: TriedCall,
): Promise<Line[]> {
  const response = await fetch(url + path, { headers })
  if (response.ok) return []
  const { error: refusal } = (await response.json()) as Answer // The api's own errors have this form.
  const reason =
    refusal?.details.find((detail) => detail.reason)?.reason ?? `HTTP ${response.status}`
  if (reason === NO_SIGNER) return []
  const message = `${what}: ${reason}, ${refusal?.message}`
  const { warning, error } = lines(check)
  return response.status >= 500 || reason === 'SIMULATION_FAILED'
    ? error(message, `Look it up in docs/errors.md: ${reason}.`)
    : warning(message, 'None, if the contracts are meant to refuse it now.')
}

async function makeKey(sql: Scratch['sql'], appSecret: Uint8Array): Promise<string> {
  const administrator = { sql, appSecret, actor: 'rehearse', bounds: null }
  // A database that was given may have those of earlier runs.
  const name = `Rehearsal ${randomBytes(4).toString('hex')}`
  const { id } = await createOrganization(administrator, name)
  const { key } = await createKey(administrator, {
    organizationId: id,
    name,
    permissions: ['earn:read', 'earn:prepare'],
  })
  return key
}

async function untilReady(url: string, hasEnded: () => boolean): Promise<boolean> {
  const until = performance.now() + READY_MS
  while (!hasEnded() && performance.now() < until) {
    const response = await fetch(`${url}/ready`).catch(() => null) // It does not listen yet.
    if (response?.ok) return true
    await sleep(POLL_MS)
  }
  return false
}
