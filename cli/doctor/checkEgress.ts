import { connect } from 'node:net'
import { parseTarget, resolveTarget, type TargetRules } from '../../domain/webhook/webhookTarget.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { notChecked } from './notChecked.ts'
import { reasonOf } from './reasonOf.ts'
import { rowsOf } from './rowsOf.ts'

const TIMEOUT_MS = 5_000
const MOST_HOSTS = 50

/** Whether this machine reaches what the processes call: hosts of webhooks, attestations, the screening of payers, the OIDC provider. */
export async function checkEgress({ source, sql }: DoctorContext): Promise<Line[]> {
  const { ATTESTATION_URL: attestations, PAYER_SCREENING_URL: screening } = source
  const { CONSOLE_OIDC_ISSUER: issuer } = source
  const found = await Promise.all([
    checkEndpoints({ source, sql }).catch((cause) => notChecked('webhooks', cause)),
    ...(attestations ? [reach('attestations', attestations, { allowPrivate: true })] : []),
    ...(screening ? [reach('payer screening', screening, { allowPrivate: true })] : []),
    ...(issuer ? [checkIssuer(issuer)] : []),
  ])
  return found.flat()
}

async function checkEndpoints({
  source,
  sql,
}: Pick<DoctorContext, 'source' | 'sql'>): Promise<Line[]> {
  const rules = { allowPrivate: source.WEBHOOK_ALLOW_PRIVATE === 'true' }
  const rows = await rowsOf(
    { sql },
    (found) =>
      found<{ url: string }[]>`
      select distinct on (split_part(url, '/', 3)) url from app.webhook_endpoint
      where status = 'enabled' order by split_part(url, '/', 3) limit ${MOST_HOSTS}`,
  )
  const found = await Promise.all(rows.map(({ url }) => reach('webhooks', url, rules)))
  return found.flat()
}

async function reach(check: string, text: string, rules: TargetRules): Promise<Line[]> {
  const { ok, warning } = lines(check)
  const advice =
    'Look at the firewall and DNS of this machine; if only this host fails, its owner must mend it.'
  if (!URL.canParse(text)) return [] // `checkVariables` reports it.
  const { host } = new URL(text)
  try {
    const url = parseTarget(text, rules)
    const [first] = await resolveTarget(url, rules)
    const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
    await connected(first?.address ?? '', port)
    return ok(`${host} can be reached`)
  } catch (error) {
    return warning(`${host} cannot be reached: ${reasonOf(error)}`, advice)
  }
}

function connected(address: string, port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = connect({ host: address, port, timeout: TIMEOUT_MS })
  socket.on('connect', () => resolve())
  socket.on('timeout', () => reject(new Error(`no connection within ${TIMEOUT_MS / 1_000} s`)))
  socket.on('error', reject)
  return promise.finally(() => socket.destroy())
}

async function checkIssuer(issuer: string): Promise<Line[]> {
  const { ok, error } = lines('OIDC provider')
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const { host } = new URL(url)
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).then(
    ({ status }) => `HTTP ${status}`,
    reasonOf,
  )
  if (answer === 'HTTP 200') return ok(`${host} answers`)
  return error(`${host} does not describe itself: ${answer}`, 'Correct CONSOLE_OIDC_ISSUER.')
}
