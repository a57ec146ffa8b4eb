import { type Command, InvalidArgumentError } from 'commander'
import { AccessError } from '../../domain/access/accessError.ts'
import { getOrganization } from '../../domain/access/organizations.ts'
import type { CreatedEndpoint, WebhookAdministrator } from '../../domain/webhook/endpoint.ts'
import {
  type DeliveryStatus,
  findEndpoint,
  listAllDeliveries,
  listAllEndpoints,
} from '../../domain/webhook/listForOperator.ts'
import { changeEndpoint, createEndpoint } from '../../domain/webhook/manageEndpoints.ts'
import { redeliver } from '../../domain/webhook/redeliver.ts'
import { rotateSecret } from '../../domain/webhook/secrets.ts'
import { type Answer, type CommandAdministrator, listed, type Run } from './command.ts'
import { parseDuration } from './times.ts'

const SWITCHES = [
  { name: 'enable', description: 'send it what waits, and what comes', status: 'enabled' },
  { name: 'disable', description: 'send it nothing; what waits stays', status: 'disabled' },
] as const
const STATUSES: readonly DeliveryStatus[] = ['waiting', 'delivered', 'dead']

/** `webhooks list|create|rotate|enable|disable|deliveries|redeliver` */
export function addWebhookCommands(program: Command, run: Run): void {
  const webhooks = program.command('webhooks').description('where organizations are told of events')
  addListCommands(webhooks, run)
  addSecretCommands(webhooks, run)
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
    .command('redeliver <endpointId> <eventId>')
    .description('send an event again, dead or delivered')
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
    .description('all endpoints, with what waits and what is dead')
    .option('--organization <name|id>', 'only those of one organization')
    .action(({ organization }: { organization?: string }) =>
      run(async ({ sql }) => {
        const id = organization ? (await getOrganization(sql, organization)).id : null
        return listed(await listAllEndpoints(sql, id), 'No endpoints yet')
      }),
    )
  webhooks
    .command('deliveries <endpointId>')
    .description('what an endpoint was sent, or was not, the newest first')
    .option('--status <status>', `only these: ${STATUSES.join(', ')}`, parseStatus)
    .action((endpointId: string, { status }: { status?: DeliveryStatus }) =>
      run(async ({ sql }) => {
        const place = await findEndpoint(sql, endpointId)
        const deliveries = await listAllDeliveries(sql, { ...place, status: status ?? null })
        return listed(deliveries.map(textual), 'Nothing of that kind')
      }),
    )
}

type CreateOptions = { organization: string; url: string; event: string[]; filter?: string }

function addSecretCommands(webhooks: Command, run: Run) {
  webhooks
    .command('create')
    .description('register an endpoint and show its signing secret, this once')
    .requiredOption('--organization <name|id>', 'whose events')
    .requiredOption('--url <url>', 'https, at public addresses')
    .requiredOption(
      '--event <type>',
      'a type, smart_deposit.* or *; once for each, or with commas',
      splitTypes,
    )
    .option('--filter <expression>', "which orders and requests; else by the organization's code")
    .action(({ organization, url, event, filter }: CreateOptions) =>
      run(async (administrator) => {
        const { id } = await getOrganization(administrator.sql, organization)
        const params = { url, eventTypes: event, filter }
        return shown(await createEndpoint(asWebhookAdministrator(administrator), id, params))
      }),
    )
  webhooks
    .command('rotate <endpointId>')
    .description('make a new signing secret and show it, this once')
    .option(
      '--overlap <duration>',
      'how long the old one signs too: 12h, 7d; else a day',
      parseDuration,
    )
    .action((endpointId: string, { overlap }: { overlap?: number }) =>
      run(async (administrator) => {
        const place = await findEndpoint(administrator.sql, endpointId)
        return shown(await rotateSecret(asWebhookAdministrator(administrator), place, overlap))
      }),
    )
}

function shown(created: CreatedEndpoint): Answer {
  const { endpoint, secret } = created
  const text = `${secret}\nSigns what is sent to ${endpoint.url} (${endpoint.id}). Keep it now: it is not shown again.`
  return { json: created, text }
}

/** Throws `AccessError` where there is no key to keep secrets under. */
function asWebhookAdministrator({
  secretsKey,
  allowPrivate,
  ...administrator
}: CommandAdministrator): WebhookAdministrator {
  if (!secretsKey) throw new AccessError('SECRETS_KEY is not set: set that of the api')
  return { ...administrator, secretsKey, targets: { allowPrivate } }
}

/** Sequences are bigint, which JSON has not. */
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
