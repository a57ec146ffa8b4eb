import { type Command, InvalidArgumentError } from 'commander'
import { AccessError } from '../../domain/access/accessError.ts'
import { getOrganization } from '../../domain/access/organizations.ts'
import { sendTestEvent } from '../../domain/webhook/askedEvents.ts'
import type { CreatedEndpoint, WebhookAdministrator } from '../../domain/webhook/endpoint.ts'
import { listAttempts } from '../../domain/webhook/listAttempts.ts'
import { changeEndpoint, createEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import {
  type DeliveryStatus,
  findEndpoint,
  listAllDeliveries,
  listAllEndpoints,
} from '../../domain/webhook/operatorReads.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import { rotateSecret } from '../../domain/webhook/secrets.ts'
import { formatTable } from '../formatTable.ts'
import { type CommandAdministrator, type CommandAnswer, listed, type Run } from './command.ts'
import { addReplayCommands } from './replayCommands.ts'
import { parseDuration } from './times.ts'

const SWITCHES = [
  { name: 'enable', description: 'send waiting and new events to an endpoint', status: 'enabled' },
  {
    name: 'disable',
    description: 'send nothing to an endpoint; waiting events stay',
    status: 'disabled',
  },
] as const
const STATUSES: readonly DeliveryStatus[] = ['waiting', 'delivered', 'dead']

/** `webhooks list|create|rotate|enable|disable|deliveries|attempts|test|redeliver`, and those of replays */
export function addWebhookCommands(program: Command, run: Run): void {
  const webhooks = program
    .command('webhooks')
    .description('webhook endpoints, which receive events of organizations')
  addListCommands(webhooks, run)
  addSecretCommands(webhooks, run)
  addReplayCommands(webhooks, run, asWebhookAdministrator)
  for (const { name, description, status } of SWITCHES)
    webhooks
      .command(`${name} <endpointId>`)
      .description(description)
      .action((endpointId: string) =>
        run(async (administrator) => {
          const place = await findEndpoint(administrator.sql, endpointId)
          const changed = await changeEndpoint(asWebhookAdministrator(administrator), place, {
            status,
          })
          return { json: changed, text: `${endpointId} is ${status}` }
        }),
      )
  webhooks
    .command('attempts <endpointId> <eventId>')
    .description(
      'list the attempts of a delivery, the newest first; with --json also what was sent',
    )
    .action((endpointId: string, eventId: string) =>
      run(async ({ sql }) => {
        const place = await findEndpoint(sql, endpointId)
        const attempts = await listAttempts(sql, { ...place, eventId })
        // URL and headers would make lines of a thousand characters.
        const rows = attempts.map(
          ({ startedAt, durationMs, responseStatus, error, responseBody }) => ({
            startedAt,
            durationMs,
            responseStatus,
            error,
            responseBody,
          }),
        )
        return { json: attempts, text: formatTable(rows, 'There are no attempts yet') }
      }),
    )
  webhooks
    .command('test <endpointId> <type>')
    .description('send an example of a type of event to an endpoint, with is_test: true')
    .action((endpointId: string, type: string) =>
      run(async ({ sql }) => {
        const eventId = await sendTestEvent({ sql }, await findEndpoint(sql, endpointId), type)
        return { json: { eventId }, text: `${eventId} is sent to ${endpointId}` }
      }),
    )
  webhooks
    .command('redeliver <endpointId> <eventId>')
    .description('send a dead or delivered event again')
    .action((endpointId: string, eventId: string) =>
      run(async (administrator) => {
        const place = await findEndpoint(administrator.sql, endpointId)
        const again = await redeliver(asWebhookAdministrator(administrator), { ...place, eventId })
        return { json: textual(again), text: `${eventId} is sent to ${endpointId} again` }
      }),
    )
}

function addListCommands(webhooks: Command, run: Run) {
  webhooks
    .command('list')
    .description(
      'list endpoints, with the numbers of waiting and dead deliveries, and the types that no event can match',
    )
    .option('--organization <name|id>', 'only endpoints of this organization')
    .action(({ organization }: { organization?: string }) =>
      run(async ({ sql }) => {
        const id = organization ? (await getOrganization(sql, organization)).id : null
        return listed(await listAllEndpoints(sql, id), 'There are no endpoints yet')
      }),
    )
  webhooks
    .command('deliveries <endpointId>')
    .description('list the deliveries of an endpoint, the newest first')
    .option('--status <status>', `only this status: ${STATUSES.join(', ')}`, parseStatus)
    .action((endpointId: string, { status }: { status?: DeliveryStatus }) =>
      run(async ({ sql }) => {
        const place = await findEndpoint(sql, endpointId)
        const deliveries = await listAllDeliveries(sql, { ...place, status: status ?? null })
        return listed(deliveries.map(textual), 'There are no such deliveries')
      }),
    )
}

type CreateOptions = { organization: string; url: string; event: string[]; filter?: string }

function addSecretCommands(webhooks: Command, run: Run) {
  webhooks
    .command('create')
    .description('create an endpoint and show its signing secret once')
    .requiredOption('--organization <name|id>', 'the organization whose events it receives')
    .requiredOption('--url <url>', 'an https URL with public addresses')
    .requiredOption(
      '--event <type>',
      'an event type, smart_deposit.* or *; repeat the option, or separate with commas',
      splitTypes,
    )
    .option(
      '--filter <expression>',
      "selects orders and withdrawal requests; default: the organization's distributor code",
    )
    .action(({ organization, url, event, filter }: CreateOptions) =>
      run(async (administrator) => {
        const { id } = await getOrganization(administrator.sql, organization)
        const params = { url, eventTypes: event, filter }
        return shown(await createEndpoint(asWebhookAdministrator(administrator), id, params))
      }),
    )
  webhooks
    .command('rotate <endpointId>')
    .description('create a new signing secret and show it once')
    .option(
      '--overlap <duration>',
      'how long the old secret also signs: 12h, 7d; default: 1d',
      parseDuration,
    )
    .action((endpointId: string, { overlap }: { overlap?: number }) =>
      run(async (administrator) => {
        const place = await findEndpoint(administrator.sql, endpointId)
        return shown(await rotateSecret(asWebhookAdministrator(administrator), place, overlap))
      }),
    )
}

function shown(created: CreatedEndpoint): CommandAnswer {
  const { endpoint, secret } = created
  const text = `${secret}\nThis secret signs the webhooks to ${endpoint.url} (${endpoint.id}). Store it now: it is not shown again.`
  return { json: created, text }
}

/** Throws `AccessError` without a key to encrypt secrets. */
function asWebhookAdministrator({
  secretsKey,
  allowPrivate,
  ...administrator
}: CommandAdministrator): WebhookAdministrator {
  if (!secretsKey) throw new AccessError('SECRETS_KEY is not set: set it to the value of the API')
  return { ...administrator, secretsKey, targets: { allowPrivate }, vaults: null }
}

/** Sequences are bigint, which JSON does not have. */
function textual<Row extends { organizationSequence: bigint }>(row: Row) {
  return { ...row, organizationSequence: String(row.organizationSequence) }
}

function splitTypes(text: string, before: string[] = []): string[] {
  return [...before, ...text.split(',').map((type) => type.trim())]
}

function parseStatus(text: string): DeliveryStatus {
  const found = STATUSES.find((status) => status === text)
  if (!found) throw new InvalidArgumentError(`expected one of ${STATUSES.join(', ')}`)
  return found
}
