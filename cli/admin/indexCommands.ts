import { type Command, InvalidArgumentError } from 'commander'
import { orderRebuild } from '../../db/indexRebuilds.ts'
import { type ListedBuild, listIndexBuilds } from '../../db/listIndexBuilds.ts'
import { audited } from '../../domain/access/audit.ts'
import { listed, type Run } from './command.ts'
import { parseReason } from './parseReason.ts'

const LARGEST_INTEGER = 2_147_483_647

/** `index list|rebuild` */
export function addIndexCommands(program: Command, run: Run): void {
  const index = program.command('index').description('the index of the chains')
  index
    .command('list')
    .description('list the builds of every chain, with the error of a build that does not start')
    .action(() =>
      run(async ({ sql }) =>
        listed((await listIndexBuilds(sql)).map(buildRow), 'There are no builds yet'),
      ),
    )
  index
    .command('rebuild')
    .argument('<chainId>', 'the id of the chain', parseChainId)
    .description('index a chain again; the current build is served until the new one is synced')
    .requiredOption('--reason <reason>', 'the reason, which /health shows', parseReason)
    .action((chainId: number, { reason }: { reason: string }) =>
      run(async (administrator) => {
        await audited(administrator, async (transaction) => {
          await orderRebuild(transaction, chainId, reason)
          const subject = String(chainId)
          return {
            result: undefined,
            entry: { action: 'index.rebuild', subject, organizationId: null, details: { reason } },
          }
        })
        const text = `A new build of chain ${chainId} starts within seconds; "index list" shows it`
        return { json: { chainId, reason }, text }
      }),
    )
}

function buildRow(build: ListedBuild) {
  const { chainId, postgresSchema, state, block, createdAt, rebuildReason, error } = build
  return {
    chain: String(chainId),
    build: postgresSchema,
    state,
    block: block === null ? null : String(block),
    since: createdAt,
    rebuild: rebuildReason,
    error,
  }
}

function parseChainId(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text) || Number(text) > LARGEST_INTEGER)
    throw new InvalidArgumentError('expected the id of a chain')
  return Number(text)
}
