import { type Command, InvalidArgumentError } from 'commander'
import { listAudit } from '../../domain/access/audit.ts'
import { formatTable } from '../formatTable.ts'
import type { Run } from './command.ts'

const DEFAULT_LIMIT = 100
const MOST = 10_000

/** `audit list` */
export function addAuditCommands(program: Command, run: Run): void {
  const audit = program.command('audit').description('actions of administrators')
  audit
    .command('list')
    .description('list actions with actor and subject, the newest first')
    .option(
      '--subject <id>',
      "only actions on this subject: a key's public id, an organization's id, a chain id",
    )
    .option(
      '--limit <count>',
      `the most actions to list, at most ${MOST}`,
      parseLimit,
      DEFAULT_LIMIT,
    )
    .action((options: { subject?: string; limit: number }) =>
      run(async ({ sql }) => {
        const entries = await listAudit(sql, options)
        const rows = entries.map(({ details, ...row }) => ({
          ...row,
          details: JSON.stringify(details),
        }))
        return { json: entries, text: formatTable(rows, 'There are no actions yet') }
      }),
    )
}

function parseLimit(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text) || Number(text) > MOST)
    throw new InvalidArgumentError(`expected an integer from 1 to ${MOST}`)
  return Number(text)
}
