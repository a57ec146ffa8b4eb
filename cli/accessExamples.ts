import { setTimeout as sleep } from 'node:timers/promises'
import { type ExampleCall, type ExampleTarget, writeExample } from './writeExample.ts'

/** The request log is written once a second. */
const LOGGED_MS = 2_500

/** Creates a key, calls every route of keys, and writes the answers to docs/examples. */
export async function writeAccessExamples(target: ExampleTarget): Promise<void> {
  const ask = (call: ExampleCall) => writeExample(target, { ...call, shown: withoutSecret })
  const keys = '/v1/access/apiKeys'
  const { apiKey, secret } = (await ask({
    name: 'createApiKey',
    method: 'POST',
    path: keys,
    body: { name: 'server', permissions: ['earn:prepare', 'earn:read'] },
  })) as { apiKey: { publicId: string }; secret: string }
  const headers = { 'x-api-key': secret }
  for (const path of ['/v2/earn/vaults?pageSize=1', '/v2/earn/deposit'])
    await fetch(target.apiUrl + path, { headers })
  await sleep(LOGGED_MS)
  const { publicId } = apiKey
  const ofKey = new URLSearchParams({ filter: `publicId = ${publicId}`, pageSize: '2' })
  await ask({ name: 'listApiKeys', path: `${keys}?${ofKey}` })
  await ask({ name: 'listApiUsage', path: `/v1/access/usage?${ofKey}` })
  await ask({ name: 'listRequestLog', path: `/v1/access/requestLog?${ofKey}` })
  const path = `${keys}/${publicId}`
  await ask({ name: 'renameApiKey', method: 'PATCH', path, body: { name: 'backend' } })
  const body = { overlapSeconds: 3600 }
  await ask({ name: 'rotateApiKey', method: 'POST', path: `${path}/rotate`, body })
  await ask({ name: 'revokeApiKey', method: 'POST', path: `${path}/revoke`, body: {} })
}

/** The answer with the key's public part alone. */
function withoutSecret(answer: object): object {
  if (!('secret' in answer)) return answer
  return { ...answer, secret: String(answer.secret).replace(/[0-9a-f]{64}$/, '…') }
}
