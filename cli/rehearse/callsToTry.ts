import type { Sql } from 'postgres'
import { zeroAddress } from 'viem'
import type {
  AddressBook,
  AddressBookDeployment,
  TransitRoute,
} from '../../domain/addressBook/addressBook.ts'
import { indexedAddresses } from './indexedAddresses.ts'

/** A request to the api that sends nothing. */
export type TriedCall = { check: string; what: string; path: string }

type IndexSql = Sql<{ bigint: bigint }>
type Holder = { account: string; balance: string }

/** Any account does for a quote without a signature. */
const ANYBODY = `0x${'0e'.repeat(20)}`
const DEPOSIT_UNITS = 100n
const LEAST_ORDERS = 1_000n

export async function callsToTry(book: AddressBook, sql: IndexSql): Promise<TriedCall[]> {
  const served = book.vaults.flatMap(({ name, deployments }) =>
    deployments
      .filter((deployment) => isServed(deployment))
      .map((deployment) => ({ name, deployment })),
  )
  const ofVaults = await Promise.all(
    served.map(({ name, deployment }) => callsOfVault(book, sql, name, deployment)),
  )
  return [...quotes(book), ...ofVaults.flat()]
}

function quotes({ transitRoutes }: AddressBook): TriedCall[] {
  return transitRoutes.map(
    ({ sourceChainId, destinationChainId, offerAsset, wantAsset, ...route }) => ({
      check: 'quotes',
      what: `${offerAsset} of chain ${sourceChainId} to ${wantAsset} of chain ${destinationChainId}`,
      path: pathOf('/v1/transit/orders/quote', {
        userAddress: ANYBODY,
        offerAmount: usualAmount(route),
        offerAsset,
        sourceChainId,
        wantAsset,
        destinationChainId,
        indicative: true,
      }),
    }),
  )
}

/** The least order may be too little for the gas of its payment. */
function usualAmount({
  minOrderSize,
  maxOrderSize,
}: Pick<TransitRoute, 'minOrderSize' | 'maxOrderSize'>): bigint {
  const usual = BigInt(minOrderSize) * LEAST_ORDERS
  return maxOrderSize !== null && BigInt(maxOrderSize) < usual ? BigInt(maxOrderSize) : usual
}

function isServed({ inDeprecation, ...versions }: AddressBookDeployment): boolean {
  const kinds = [versions.tellers, versions.accountants, versions.depositors, versions.queues]
  const isComplete = kinds.every((kind) => kind.at(-1)?.toBlock === undefined && kind.length > 0)
  return isComplete && !inDeprecation
}

async function callsOfVault(
  book: AddressBook,
  sql: IndexSql,
  name: string,
  { chainId, vault: { address }, assets }: AddressBookDeployment,
): Promise<TriedCall[]> {
  const contracts = [zeroAddress, ...indexedAddresses(book, chainId)]
  const [holder] = await sql<Holder[]>`
    select account, balance::text as balance from read.share_balance
    where chain_id = ${chainId} and vault = ${address} and balance > 0 and account <> all(${contracts})
    order by random() limit 1`
  const asset = assets.find(({ depositable }) => depositable)
  const token = book.tokens.find((one) => one.chainId === chainId && one.address === asset?.address)
  if (!holder || !asset || !token) return []
  const shared = { chainId, vaultAddress: address, userAddress: holder.account, simulate: true }
  const what = `${name} on chain ${chainId}, ${token.symbol}, by ${holder.account}`
  return [
    {
      check: 'deposits',
      what,
      path: pathOf('/v2/earn/deposit', {
        ...shared,
        depositAsset: asset.address,
        depositAmount: DEPOSIT_UNITS * 10n ** BigInt(token.decimals),
      }),
    },
    {
      check: 'withdrawals',
      what,
      path: pathOf('/v2/earn/withdraw', {
        ...shared,
        wantAsset: asset.address,
        shareAmount: holder.balance,
      }),
    },
  ]
}

function pathOf(path: string, parameters: Record<string, unknown>): string {
  const query = new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return `${path}?${query}`
}
