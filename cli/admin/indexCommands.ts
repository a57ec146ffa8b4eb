import type { Command } from 'commander'
import { orderRebuild } from '../../db/indexRebuilds.ts'
import { type ListedBuild, listIndexBuilds } from '../../db/listIndexBuilds.ts'
import { compareSides, type DifferentSide } from '../../db/transitSides.ts'
import { audited } from '../../domain/access/audit.ts'
import { parseChainId } from '../parseChainId.ts'
import { listed, type Run } from './command.ts'
import { parseReason } from './parseReason.ts'
import { addSnapshotCommands } from './snapshotCommands.ts'

/** `index list|rebuild|check|snapshot|restore` */
export function addIndexCommands(program: Command, run: Run, env: NodeJS.ProcessEnv): void {
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
  index
    .command('check')
    .description('compare the copy from which orders are read with the tables of the served builds')
    .action(() =>
      run(async ({ sql }) =>
        listed(
          (await compareSides(sql)).map(sideRow),
          'The copy has every order as its chains have it',
        ),
      ),
    )
  addSnapshotCommands(index, run, env)
}

function sideRow({ chainId, orderId, isSource, what }: DifferentSide) {
  return { chain: String(chainId), order: orderId, side: isSource ? 'source' : 'destination', what }
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
