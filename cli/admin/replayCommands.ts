import type { Command } from 'commander'
import type { WebhookAdministrator } from '../../domain/webhook/endpoint.ts'
import { findEndpoint } from '../../domain/webhook/operatorReads.ts'
import {
  cancelReplay,
  getReplay,
  startReplay,
  type WebhookReplay,
} from '../../domain/webhook/replay.ts'
import { formatTable } from '../formatTable.ts'
import type { CommandAdministrator, CommandAnswer, Run } from './command.ts'
import { parseDuration } from './times.ts'

type StartOptions = { after?: string; last?: number; event?: string[]; onlyFailed?: true }

/** `webhooks replay|replay-state|cancel-replay` */
export function addReplayCommands(
  webhooks: Command,
  run: Run,
  asWebhookAdministrator: (administrator: CommandAdministrator) => WebhookAdministrator,
): void {
  webhooks
    .command('replay <endpointId>')
    .description('send events of the log to an endpoint again, in order')
    .option('--after <sequence>', 'the events after this organization sequence; 0 for all')
    .option('--last <duration>', 'the events of this time until now: 12h, 7d', parseDuration)
    .option('--event <types...>', 'only these types')
    .option('--only-failed', 'only those whose delivery is dead')
    .action((endpointId: string, { after, last, event, onlyFailed }: StartOptions) =>
      run(async (administrator) => {
        const place = await findEndpoint(administrator.sql, endpointId)
        const startTime = last === undefined ? undefined : Math.floor(Date.now() / 1_000) - last
        const params = { after, startTime, eventTypes: event, onlyFailed }
        return shown(await startReplay(asWebhookAdministrator(administrator), place, params))
      }),
    )
  webhooks
    .command('replay-state <endpointId>')
    .description('show how far the newest replay to an endpoint is')
    .action((endpointId: string) =>
      run(async ({ sql }) => shown(await getReplay(sql, await findEndpoint(sql, endpointId)))),
    )
  webhooks
    .command('cancel-replay <endpointId>')
    .description('end the replay to an endpoint; what waits for delivery is still sent')
    .action((endpointId: string) =>
      run(async (administrator) => {
        const place = await findEndpoint(administrator.sql, endpointId)
        return shown(await cancelReplay(asWebhookAdministrator(administrator), place))
      }),
    )
}

function shown({ afterSequence, endSequence, position, ...replay }: WebhookReplay): CommandAnswer {
  const row = {
    ...replay,
    afterSequence: String(afterSequence),
    position: String(position),
    endSequence: String(endSequence),
  }
  return { json: row, text: formatTable([row], '') }
}
