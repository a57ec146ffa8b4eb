import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { Command, InvalidArgumentError } from 'commander'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { readRunFile } from '../processes/start/runFile.ts'

/**
 * `npm run webhook-listen`: receives webhooks on this machine, verifies and prints them. It registers an
 * endpoint with the local start and deletes it at the end, or takes the secret of an existing endpoint.
 */
type Options = { port: number; event: string[]; secret?: string; status: number; json?: boolean }

const TOLERANCE_SECONDS = 300

const program = new Command('webhook-listen')
  .description('Receives webhooks on this machine, verifies and prints them.')
  .option('--port <port>', 'port to listen on, at 127.0.0.1', parsePort, 4100)
  .option(
    '--event <type>',
    'an event type to receive; repeat for more (default: all)',
    (type, all: string[]) => [...all, type],
    [],
  )
  .option('--secret <whsec>', 'signing secret of an existing endpoint')
  .option('--status <code>', 'HTTP status to answer; an error shows the retries', parseStatus, 204)
  .option('--json', 'print each webhook as one line of JSON')
  .parse()
const options = program.opts<Options>()

let secret = options.secret ?? ''

const server = createServer(async (request, response) => {
  // A sender that leaves within its body must not end the command.
  const body = await text(request).catch(() => null)
  if (body === null) return
  response.writeHead(options.status).end()
  show(body, verdict(body, request.headers))
})
// First: nothing is registered if the port is taken.
await listen(options)
const endpoint = options.secret ? null : await register(options)
secret ||= endpoint?.secret ?? ''

for (const event of ['SIGINT', 'SIGTERM'] as const) process.once(event, () => void stop())

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port
  throw new InvalidArgumentError('expected a port from 1 to 65535')
}

function parseStatus(text: string): number {
  if (/^[2-5]\d\d$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a status from 200 to 599')
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}

async function listen({ port }: Options) {
  server.listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    process.stderr.write(`Cannot listen on 127.0.0.1:${port}, take another --port: ${error}\n`)
    process.exit(1)
  }
  print(`Listening on 127.0.0.1:${port}`)
}

async function register({ port, event }: Options) {
  const run = await readRunFile(findDataDirectory(process.env))
  if (!run) {
    process.stderr.write('No local start is running: run npm start first, or give a --secret\n')
    process.exit(1)
  }
  const { apiKey } = run
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const url = `${run.apiUrl}/v2/webhooks/endpoints`
  const body = JSON.stringify({
    url: `http://127.0.0.1:${port}/`,
    eventTypes: event.length > 0 ? event : ['*'],
    // Everything: a local start has few events.
    filter: '',
    description: 'npm run webhook-listen',
  })
  const response = await fetch(url, { method: 'POST', headers, body })
  if (!response.ok) {
    process.stderr.write(`${await response.text()}\n`)
    process.exit(1)
  }
  const created = (await response.json()) as { endpoint: { id: string }; secret: string }
  print(`Registered ${created.endpoint.id} at ${run.apiUrl}`)
  return { url: `${url}/${created.endpoint.id}`, apiKey, secret: created.secret }
}

async function stop() {
  server.close()
  server.closeAllConnections()
  if (endpoint) await deregister(endpoint)
  process.exit(0)
}

async function deregister({ url, apiKey }: { url: string; apiKey: string }) {
  try {
    const response = await fetch(url, { method: 'DELETE', headers: { 'x-api-key': apiKey } })
    if (!response.ok) print(`The endpoint stays registered: ${await response.text()}`)
  } catch (error) {
    print(`The API does not answer, the endpoint stays registered: ${error}`)
  }
}

/** Verifies as docs/webhooks.md describes; a real receiver must ignore an unverified body. */
function verdict(body: string, headers: IncomingHttpHeaders): string {
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > TOLERANCE_SECONDS) return 'TOO OLD'
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest()
  const isSigned = String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
  return isSigned ? 'verified' : 'NOT VERIFIED'
}

function show(body: string, judged: string) {
  const event = eventOf(body)
  if (options.json) return print(JSON.stringify({ signature: judged, event: event ?? body }))
  if (!event) return print(`\nno event: ${JSON.stringify(body)}  ${judged}`)
  const { timestamp, type, sequence } = event
  print(`\n${asText(timestamp)}  ${asText(type)}  #${asText(sequence)}  ${judged}`)
  for (const [name, value] of Object.entries(event))
    if (!['timestamp', 'type', 'sequence', 'version'].includes(name))
      print(`  ${name}: ${asText(value)}`)
}

/** An object of a stranger's body can have a `toString` of its own, which is no function: then a template throws. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The event of a body; null if it is no JSON object. A web page can send any text here. */
function eventOf(body: string): Record<string, unknown> | null {
  try {
    const event = JSON.parse(body)
    return typeof event === 'object' && !Array.isArray(event) ? event : null
  } catch {
    return null
  }
}
