import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EVENT_TYPES } from '../../domain/webhook/eventTypes.ts'
import { createLogger } from '../../processes/logger.ts'
import { deliverWebhooks } from '../../worker/webhook/deliverWebhooks.ts'
import { startWorker } from '../../worker/worker.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { keyOf } from '../support/ask.ts'
import { undescribedEvent } from '../support/describedAnswer.ts'
import { noteSecret } from '../support/handedOut.ts'
import { type Receiver, startReceiver } from '../support/webhookReceiver.ts'

/** Runs docs/webhooks.md in a shell from the first call to the last, with a receiver. */

let api: TestApi
let receiver: Receiver
let worker: { stop(): Promise<void> }
beforeAll(async () => {
  api = await startTestApi()
  receiver = await startReceiver()
  const { sql, secretsKey } = api.context
  const logger = createLogger('test', 'silent')
  const part = deliverWebhooks({ sql, secretsKey, logger, allowPrivate: true })
  worker = await startWorker({ databaseUrl: api.databaseUrl, parts: [part], logger })
})
afterAll(async () => {
  await worker.stop()
  await api.stop()
  await receiver.stop()
})

test('default: every call of the page answers, the ping comes and the page verifies it', async () => {
  const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const blocks = (kind: string) =>
    [...page.matchAll(new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``, 'g'))].map(
      ([, text]) => text ?? '',
    )
  const [, ...calls] = blocks('sh')
  const before = await paste(calls.slice(0, -1).join('\n'))
  expect(before.output).toContain('"hasMore":false')
  const { SECRET: secret = '' } = before.variables
  noteSecret(secret)
  // This runs before the page deletes its endpoint.
  const [ping] = await receiver.until(1)
  const [source = ''] = blocks('js')
  const { isVerified } = await import(`data:text/javascript,${encodeURIComponent(source)}`)
  expect(ping?.event.type).toBe('ping')
  expect(isVerified(secret, ping?.headers, ping?.body)).toBe(true)
  expect(isVerified(secret, ping?.headers, `${ping?.body} `)).toBe(false)
  expect(isVerified(`whsec_${'a'.repeat(43)}=`, ping?.headers, ping?.body)).toBe(false)
  const after = await paste(calls.at(-1) ?? '', before.variables)
  expect(after.output).toContain(before.variables.ENDPOINT)
})

test('behavior: the examples of events are as the OpenAPI document has them, one of each type of vaults', async () => {
  const pages = await Promise.all(
    ['webhooks', 'smart-deposits'].map((name) =>
      readFile(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8'),
    ),
  )
  const examples = pages
    .flatMap((page) => [...page.matchAll(/```json\n(.*?)```/gs)])
    .flatMap(([, text = '']): { type?: string }[] => [JSON.parse(text)].flat())
    .filter(({ type }) => type !== undefined)
  for (const example of examples)
    expect([example, undescribedEvent(example)]).toEqual([example, []])
  const shown = examples.map(({ type }) => type)
  expect(shown).toEqual(
    expect.arrayContaining([
      'ping',
      'smart_deposit.deposit.converting',
      ...EVENT_TYPES.filter((type) => type.startsWith('vault.')),
    ]),
  )
})

/** Runs calls in a shell, with this API and receiver and the variables that earlier calls have set. */
async function paste(calls: string, variables: Record<string, string> = {}) {
  const script = calls
    .replaceAll('http://127.0.0.1:4000', api.url)
    .replaceAll('http://127.0.0.1:4100/hooks', receiver.url)
    // A refusal ends the script, and its message is printed.
    .replaceAll('curl -s', 'curl -s --fail-with-body')
  const printVariables = 'echo; echo "SECRET=$SECRET"; echo "ENDPOINT=$ENDPOINT"'
  const { stdout } = await promisify(execFile)('bash', ['-ec', `${script}\n${printVariables}`], {
    env: { ...process.env, API_KEY: keyOf(api.url) ?? '', ...variables },
  })
  const set = [...stdout.matchAll(/^(SECRET|ENDPOINT)=(.+)$/gm)]
  return {
    output: stdout,
    variables: Object.fromEntries(set.map(([, name = '', value = '']) => [name, value])),
  }
}
