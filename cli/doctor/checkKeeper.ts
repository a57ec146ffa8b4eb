import { type Address, formatEther } from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { factoriesOf } from '../../domain/addressBook/factories.ts'
import type { ChainClients } from '../../domain/chain/chainClients.ts'
import { keeperCeilings } from '../../domain/smartDeposit/keeperCeilings.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'
import { notChecked } from './notChecked.ts'
import { unlessWrong } from './unlessWrong.ts'

/** Below the gas for so many transactions the doctor warns: enough for a busy hour, so that there is time to send coins. */
const LEAST_TRANSACTIONS = 20n

type DepositChain = AddressBookChain & {
  smartDeposit: NonNullable<AddressBookChain['smartDeposit']>
}

/** On each chain with smart deposits, for each account: whether it is a keeper, its balance, and stuck transactions. */
export async function checkKeeper(context: DoctorContext): Promise<Line[]> {
  const { accounts, book, chains } = context
  const { warning, error } = lines('keeper')
  const places = (book?.chains ?? []).filter(
    (chain): chain is DepositChain => chain.smartDeposit !== undefined,
  )
  if (places.length === 0 || !chains) return []
  const keepers = await unlessWrong(accounts.keepers())
  if (keepers === undefined) return []
  if (keepers.length === 0)
    return warning(
      'there is none: payments to smart deposit addresses are reported, and not forwarded',
      'Set SMART_DEPOSIT_KEEPER, if this installation has smart deposits.',
    )
  const signer = await unlessWrong(accounts.quoteSigner())
  const found = await Promise.all(
    places.flatMap((chain) =>
      keepers.map(({ address }) =>
        checkChain(chains, chain, address).catch((cause) => notChecked(nameOf(chain), cause)),
      ),
    ),
  )
  return [
    ...(keepers.some(({ address }) => address === signer?.address)
      ? error(
          'its key is that of the quote signer',
          'Make a key of its own: the keeper sends transactions, the quote signer must not.',
        )
      : []),
    ...found.flat(),
  ]
}

function nameOf({ id }: DepositChain): string {
  return `keeper on chain ${id}`
}

async function checkChain(
  chains: ChainClients,
  chain: DepositChain,
  address: Address,
): Promise<Line[]> {
  const { ok, warning, error } = lines(nameOf(chain))
  const factories = factoriesOf(chain)
  const facts = await chains.read(chain.id, async (client) => {
    const [isKeeper, wei, mined, pending, fee] = await Promise.all([
      Promise.all(
        factories.map((factory) =>
          client.readContract({
            address: factory.address,
            abi: smartDepositFactoryAbi,
            functionName: 'isKeeper',
            args: [address],
          }),
        ),
      ),
      client.getBalance({ address }),
      client.getTransactionCount({ address, blockTag: 'latest' }),
      client.getTransactionCount({ address, blockTag: 'pending' }),
      client.getGasPrice(),
    ])
    return { isKeeper, wei, waiting: pending - mined, fee }
  })
  const least = facts.fee * BigInt(keeperCeilings(chain).maxGas) * LEAST_TRANSACTIONS
  const found = [
    ...factories.flatMap((factory, index) =>
      facts.isKeeper[index]
        ? []
        : error(
            `${address} is no keeper of the factory ${factory.address}`,
            "Let the factory's owner call setKeeper(keeper, true).",
          ),
    ),
    ...(facts.wei < least
      ? (facts.wei === 0n ? error : warning)(
          `${address} has ${formatEther(facts.wei)} native coins, ${LEAST_TRANSACTIONS} transactions need ${formatEther(least)}`,
          'Send it coins for gas.',
        )
      : []),
    ...(facts.waiting > 0
      ? warning(
          `${facts.waiting} of its transactions wait in the pool`,
          'None, if a worker runs. Otherwise nothing else may use this account: docs/keeper.md.',
        )
      : []),
  ]
  return found.length > 0 ? found : ok(`${address}, ${formatEther(facts.wei)} native coins`)
}
