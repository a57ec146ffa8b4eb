import { type Command, Option } from 'commander'
import type { Hex } from 'viem'
import {
  listForeignTransfers,
  settleForeignTransfer,
} from '../../domain/smartDeposit/foreignTransfers.ts'
import {
  listUnexplainedBalances,
  listUnplacedTransfers,
  lookAgain,
} from '../../domain/smartDeposit/missedPayments.ts'
import { listRetainedDeposits, retryDeposits } from '../../domain/smartDeposit/retainedDeposits.ts'
import { listUnpaidConversions } from '../../domain/smartDeposit/unpaidConversions.ts'
import { listed, type Run } from './command.ts'

/** `smart-deposits retained|retry|foreign|settle-foreign|unpaid|unplaced|unexplained|look-again` */
export function addSmartDepositCommands(program: Command, run: Run): void {
  const deposits = program
    .command('smart-deposits')
    .description('payments that wait at their addresses, and why')
  deposits
    .command('retained')
    .description('list the retained deposits, with the reason of each')
    .action(() =>
      run(async ({ sql }) => listed(await listRetainedDeposits(sql), 'No deposit is retained')),
    )
  deposits
    .command('retry [depositId]')
    .description('try one retained deposit again at once, or all')
    .action((depositId: Hex | undefined) =>
      run(async (administrator) => {
        const retried = await retryDeposits(administrator, depositId ?? null)
        return { json: { retried }, text: `Deposits to try again: ${retried}` }
      }),
    )
  deposits
    .command('foreign')
    .description('list the transfers of other tokens than the address takes')
    .action(() =>
      run(async ({ sql }) =>
        listed(await listForeignTransfers(sql), 'There are no foreign transfers'),
      ),
    )
  deposits
    .command('settle-foreign <paymentId>')
    .description('let the keeper send the tokens of a foreign transfer on')
    .addOption(
      new Option('--how <how>', 'refund: to the user; recover: to the recovery wallet')
        .choices(['refund', 'recover'])
        .makeOptionMandatory(),
    )
    .action((paymentId: string, { how }: { how: 'refund' | 'recover' }) =>
      run(async (administrator) => {
        await settleForeignTransfer(administrator, { paymentId, wanted: how })
        return { json: { paymentId, how }, text: `The keeper will ${how} ${paymentId}` }
      }),
    )
  deposits
    .command('unpaid')
    .description(
      'list the payments whose Transit orders have not paid all of them for an hour, or were removed',
    )
    .action(() =>
      run(async ({ sql }) =>
        listed(await listUnpaidConversions(sql), 'No order is late or removed'),
      ),
    )
  deposits
    .command('unplaced')
    .description('list the transfers whose transactions no node shows as it should')
    .action(() =>
      run(async ({ sql }) => listed(await listUnplacedTransfers(sql), 'All transfers are placed')),
    )
  deposits
    .command('unexplained')
    .description('list the addresses that hold more than their known payments')
    .action(() =>
      run(async ({ sql }) =>
        listed(await listUnexplainedBalances(sql), 'All balances are explained'),
      ),
    )
  deposits
    .command('look-again')
    .description('let the keepers look again at once at what is unplaced or unexplained')
    .action(() =>
      run(async (administrator) => {
        const looked = await lookAgain(administrator)
        return { json: { looked }, text: `Looked at again: ${looked}` }
      }),
    )
}
