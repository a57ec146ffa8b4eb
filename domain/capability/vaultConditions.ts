import type { Address, PublicClient } from 'viem'
import type { AddressBook } from '../addressBook/addressBook.ts'
import { createKeptReads, type KeptReads } from '../cache/keptReads.ts'
import type { ChainReading } from '../chain/chainReading.ts'
import { findChain } from '../chain/findChain.ts'
import type { KnownAddresses } from '../chain/knownAddresses.ts'
import type { SharedServices } from '../context.ts'
import {
  type DepositConditions,
  readDepositConditions,
} from '../earn/deposits/depositConditions.ts'
import { AMPLE_AMOUNT } from '../earn/deposits/judgeDeposit.ts'
import { readDeployments } from '../earn/vaults/deploymentCache.ts'
import { type EarnDeployment, earnDeployments } from '../earn/vaults/deployments.ts'
import { mayCancel } from '../earn/withdrawals/cancelWithdrawal.ts'
import { AMPLE_SHARES } from '../earn/withdrawals/judgeWithdrawal.ts'
import {
  readWithdrawalConditions,
  type WithdrawalConditions,
} from '../earn/withdrawals/withdrawalConditions.ts'

/** All that decides about an asset of a vault, for `AMPLE_AMOUNT` of it and `AMPLE_SHARES`. */
type AssetConditions = {
  asset: Address
  deposit: DepositConditions
  withdrawal: WithdrawalConditions
}
export type VaultConditions = { mayCancel: boolean; assets: AssetConditions[] }

/** By vault, without the vaults that cannot be read. */
export type ConditionsByVault = Map<Address, VaultConditions>

/** The conditions of a chain's vaults for any account, at most 5 s old. Throws `RPC_UNAVAILABLE`. */
export type PublicConditions = KeptReads<number, ConditionsByVault>

const LIFE_MS = 5_000

export function createPublicConditions(
  addressBook: AddressBook,
  { chains, store, known: knownAddresses }: ChainReading & { known: KnownAddresses },
): PublicConditions {
  return createKeptReads(
    store,
    { name: 'vault_conditions', keyOf: String, lifeMs: LIFE_MS },
    (chainId: number) => {
      const deployments = earnDeployments(addressBook).filter((one) => one.chainId === chainId)
      const asked = { chainId, deployments, user: null }
      return readConditions({ addressBook, chains, knownAddresses }, asked)
    },
  )
}

/** An account that deposits, withdraws and gets both; null for anybody. The deployments are of the chain. */
type Asked = { chainId: number; deployments: EarnDeployment[]; user: Address | null }

type Services = Pick<SharedServices, 'addressBook' | 'chains' | 'knownAddresses'>

/** Reads the conditions of some vaults in one multicall. Throws `RPC_UNAVAILABLE`. */
export function readConditions(
  { addressBook, chains, knownAddresses: known }: Services,
  { chainId, deployments, user }: Asked,
): Promise<ConditionsByVault> {
  const chain = findChain(addressBook, chainId)
  return chains.read(chainId, (client) =>
    readDeployments(client, {
      chain,
      deployments,
      read: (through, deployment) => readVault(through, { chain, known, deployment, user }),
    }),
  )
}

type Vault = Parameters<typeof readDepositConditions>[1] & { user: Address | null }

async function readVault(
  client: PublicClient,
  { user, ...place }: Vault,
): Promise<VaultConditions> {
  const { chainId, queue, assets } = place.deployment
  const [isAllowed, read] = await Promise.all([
    mayCancel(client, place.known, { chainId, queue, caller: user }),
    Promise.all(
      assets.map(async ({ address: asset }): Promise<AssetConditions> => {
        const [deposit, withdrawal] = await Promise.all([
          readDepositConditions(client, place, {
            asset,
            amount: AMPLE_AMOUNT,
            sender: user,
            to: user,
            withPermit: false,
          }),
          readWithdrawalConditions(client, place, {
            asset,
            shares: AMPLE_SHARES,
            sender: user,
            receiver: user,
          }),
        ])
        return { asset, deposit, withdrawal }
      }),
    ),
  ])
  return { mayCancel: isAllowed, assets: read }
}
