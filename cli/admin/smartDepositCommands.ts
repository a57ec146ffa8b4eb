import { type Command, Option } from 'commander'
import type { Hex } from 'viem'
import {
  listForeignTransfers,
  listRetainedDeposits,
  retryDeposits,
  settleForeignTransfer,
} from '../../domain/smartDeposit/keptDeposits.ts'
import { listed, type Run } from './command.ts'

/** `smart-deposits retained|retry|foreign|settle-foreign` */
export function addSmartDepositCommands(program: Command, run: Run): void {
  const deposits = program.command('smart-deposits').description('what the keeper waits with')
  deposits
    .command('retained')
    .description('deposits that wait at their addresses, and why')
    .action(() =>
      run(async ({ sql }) => listed(await listRetainedDeposits(sql), 'Nothing is retained')),
    )
  deposits
    .command('retry [depositId]')
    .description('try one of them again at once, or all')
    .action((depositId: Hex | undefined) =>
      run(async (administrator) => {
        const retried = await retryDeposits(administrator, depositId ?? null)
        return { json: { retried }, text: `Tried again: ${retried}` }
      }),
    )
  deposits
    .command('foreign')
    .description('tokens that came to addresses which do not take them')
    .action(() =>
      run(async ({ sql }) => listed(await listForeignTransfers(sql), 'Nothing foreign came')),
    )
  deposits
    .command('settle-foreign <receiptId>')
    .description('have the keeper send one of them on')
    .addOption(
      new Option('--how <how>', 'back to the user, or to the recovery wallet')
        .choices(['refund', 'recover'])
        .makeOptionMandatory(),
    )
    .action((receiptId: string, { how }: { how: 'refund' | 'recover' }) =>
      run(async (administrator) => {
        await settleForeignTransfer(administrator, { receiptId, wanted: how })
        return { json: { receiptId, how }, text: `The keeper will ${how} ${receiptId}` }
      }),
    )
}
