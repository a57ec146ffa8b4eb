import { type Command, InvalidArgumentError } from 'commander'
import { orderRebuild } from '../../db/indexRebuilds.ts'
import { listIndexBuilds } from '../../db/listIndexBuilds.ts'
import { audited } from '../../domain/access/audit.ts'
import { listed, type Run } from './command.ts'

const LARGEST_INTEGER = 2_147_483_647

/** `index list|rebuild` */
export function addIndexCommands(program: Command, run: Run): void {
  const index = program.command('index').description('what is indexed of the chains')
  index
    .command('list')
    .description('the builds of every chain, and why one does not come up')
    .action(() =>
      run(async ({ sql }) => listed(await listIndexBuilds(sql), 'Nothing is indexed yet')),
    )
  index
    .command('rebuild')
    .argument('<chainId>', 'the chain', parseChainId)
    .description('index a chain anew, beside what serves until that is level')
    .requiredOption('--reason <reason>', 'why; health shows it', parseReason)
    .action((chainId: number, { reason }: { reason: string }) =>
      run(async (administrator) => {
        await audited(administrator, async (transaction) => {
          await orderRebuild(transaction, chainId, reason)
          const subject = String(chainId)
          const entry = { action: 'index.rebuild', subject, details: { reason } } as const
          return { result: undefined, entry }
        })
        const text = `Chain ${chainId} is indexed anew within seconds; "index list" shows it`
        return { json: { chainId, reason }, text }
      }),
    )
}

function parseChainId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > LARGEST_INTEGER)
    throw new InvalidArgumentError('expected the id of a chain')
  return Number(text)
}

/** One line, for a page that everybody may see. */
function parseReason(text: string): string {
  if (!/^[^\p{Cc}]{1,200}$/u.test(text.trim()))
    throw new InvalidArgumentError('expected one line of 1 to 200 characters')
  return text.trim()
}
