import { type Address, formatEther } from 'viem'
import { smartDepositFactoryAbi } from '../../abis/smartDeposit.ts'
import type { AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { loadKeeper, loadQuoteSigner } from '../../processes/configuration/loadSigner.ts'
import type { DoctorContext } from './doctorContext.ts'
import { type Line, lines } from './line.ts'

type DepositChain = AddressBookChain & {
  smartDeposit: NonNullable<AddressBookChain['smartDeposit']>
}

/** On each chain with smart deposits: whether the account is a keeper, its balance, and stuck transactions. */
export async function checkKeeper(context: DoctorContext): Promise<Line[]> {
  const { source, book, chains } = context
  const { warning, error } = lines('keeper')
  const places = (book?.chains ?? []).filter(
    (chain): chain is DepositChain => chain.smartDeposit !== undefined,
  )
  if (places.length === 0 || !chains) return []
  const account = await loadKeeper(source).catch(() => undefined)
  if (account === undefined) return [] // `checkVariables` reports why.
  if (account === null)
    return warning(
      'there is none: payments to smart deposit addresses are reported, and not forwarded',
      'Set SMART_DEPOSIT_KEEPER, if this installation has smart deposits.',
    )
  const signer = await loadQuoteSigner(source).catch(() => null)
  const found = await Promise.all(places.map((chain) => checkChain(chains, chain, account.address)))
  return [
    ...(signer?.address === account.address
      ? error(
          'its key is that of the quote signer',
          'Make a key of its own: the keeper sends transactions, the quote signer must not.',
        )
      : []),
    ...found.flat(),
  ]
}

async function checkChain(
  chains: NonNullable<DoctorContext['chains']>,
  { id, smartDeposit: { factory, ceilings } }: DepositChain,
  address: Address,
): Promise<Line[]> {
  const { ok, warning, error } = lines(`keeper on chain ${id}`)
  const facts = await chains
    .read(id, async (client) => {
      const [isKeeper, wei, mined, pending, fee] = await Promise.all([
        client.readContract({
          address: factory,
          abi: smartDepositFactoryAbi,
          functionName: 'isKeeper',
          args: [address],
        }),
        client.getBalance({ address }),
        client.getTransactionCount({ address, blockTag: 'latest' }),
        client.getTransactionCount({ address, blockTag: 'pending' }),
        client.getGasPrice(),
      ])
      return { isKeeper, wei, waiting: pending - mined, fee }
    })
    .catch(() => null)
  if (facts === null) return [] // The checks of nodes and address book report why.
  const least = facts.fee * BigInt(ceilings?.maxGas ?? GAS_OF_A_DEPOSIT) * LEAST_TRANSACTIONS
  const found = [
    ...(facts.isKeeper
      ? []
      : error(
          `${address} is no keeper of the factory ${factory}`,
          "Let the factory's owner call setKeeper(keeper, true).",
        )),
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

const GAS_OF_A_DEPOSIT = 1_000_000
const LEAST_TRANSACTIONS = 20n
