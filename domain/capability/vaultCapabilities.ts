import { type Address, zeroAddress } from 'viem'
import { attestDeposit, unattestable } from '../earn/deposits/attestDeposit.ts'
import type { DepositConditions } from '../earn/deposits/depositConditions.ts'
import { depositError } from '../earn/deposits/depositError.ts'
import type { DepositRefusal } from '../earn/deposits/depositVerdict.ts'
import { judgeSomeDeposit, listedRefusal } from '../earn/deposits/judgeDeposit.ts'
import type { EarnDeployment } from '../earn/vaults/deployments.ts'
import { vaultSilent } from '../earn/vaults/vaultRefusals.ts'
import { cancellingClosed } from '../earn/withdrawals/cancelWithdrawal.ts'
import { AMPLE_SHARES, refuseEveryWithdrawal } from '../earn/withdrawals/judgeWithdrawal.ts'
import { refuseReceipt } from '../earn/withdrawals/withdraw.ts'
import type { WithdrawalConditions } from '../earn/withdrawals/withdrawalConditions.ts'
import { receiverRefusal, refuseSmartDepositAddresses } from '../receiver/refuseReceivers.ts'
import { factoryFor, refuseOtherToken } from '../smartDeposit/registerSmartDepositAddress.ts'
import { smartDepositReceivers } from '../smartDeposit/smartDepositParams.ts'
import { type Capability, openIfAllPass, openIfBothAre, openIfOneIs } from './capability.ts'
import type { CapabilityContext } from './capabilityContext.ts'
import type { ConditionsByVault, VaultConditions } from './vaultConditions.ts'

export type VaultCapabilities = Record<
  'deposit' | 'withdraw' | 'cancel' | 'smartDeposit',
  Capability
>

type Account = { deployment: EarnDeployment; user: Address | null }
type Asked = Account & {
  /** For that account, of all vaults of the chain that are asked about. */
  conditions(): Promise<ConditionsByVault>
}
type AskedAsset<Read> = Account & { asset: Address; read: Read }

/**
 * The calls that a deployment would take from an account now, with at least one of its assets. The checks are those of the
 * calls, with amounts that no limit refuses. Without an account, only what closes a call for everybody counts.
 */
export async function vaultCapabilities(
  context: CapabilityContext,
  asked: Asked,
): Promise<VaultCapabilities> {
  const { deployment } = asked
  const { assets } = deployment
  const eachAsset = async (capabilityOf: (asset: Address) => Promise<Capability>) =>
    openIfOneIs(await Promise.all(assets.map(({ address }) => capabilityOf(address))))
  const [deposit, withdraw, cancel, smartDeposit] = await Promise.all([
    eachAsset((asset) => depositCapability(context, asked, asset)),
    eachAsset((asset) =>
      openIfAllPass([
        readAsset(asked, asset).then(({ withdrawal: read }) =>
          refuseWithdrawal(context, { ...asked, asset, read }),
        ),
      ]),
    ),
    openIfAllPass([
      readVault(asked).then(({ mayCancel }) => {
        if (!mayCancel) throw cancellingClosed(deployment)
      }),
    ]),
    smartDepositCapability(context, asked),
  ])
  return { deposit, withdraw, cancel, smartDeposit }
}

/** Whether a deployment would take a deposit of this asset now. The checks are those of `vaultCapabilities`. */
export function depositCapability(
  context: CapabilityContext,
  asked: Asked,
  asset: Address,
): Promise<Capability> {
  const { deployment, user } = asked
  const check = async () => {
    const unlisted = listedRefusal(deployment, asset)
    if (unlisted) throw errorOf(unlisted, { deployment, user, asset })
    const { deposit: read } = await readAsset(asked, asset)
    await refuseDeposit(context, { ...asked, asset, read })
  }
  return openIfAllPass([check])
}

async function readVault({ deployment, conditions }: Asked): Promise<VaultConditions> {
  const found = (await conditions()).get(deployment.vault)
  if (!found) throw vaultSilent(deployment)
  return found
}

async function readAsset(asked: Asked, asset: Address) {
  const { assets } = await readVault(asked)
  const found = assets.find((one) => one.asset === asset)
  if (!found) throw vaultSilent(asked.deployment)
  return found
}

async function refuseDeposit(
  context: CapabilityContext,
  { deployment, user, asset, read }: AskedAsset<DepositConditions>,
): Promise<void> {
  const verdict = judgeSomeDeposit(deployment, user, read)
  const judged =
    verdict.kind === 'refused' || !read.kyt
      ? verdict
      : user === null
        ? context.attestations
          ? verdict
          : unattestable()
        : await attestDeposit(context, {
            deployment,
            sender: user,
            kyt: read.kyt,
            call: {
              depositor: deployment.depositor,
              asset,
              amount: 1n,
              minimumMint: 0n,
              to: user,
              distributorCode: '0x',
            },
          })
  if (judged.kind === 'refused') throw errorOf(judged.refusal, { deployment, user, asset })
}

/** Without an account no refusal names one. */
function errorOf(
  refusal: DepositRefusal,
  { deployment, user, asset }: Account & { asset: Address },
): Error {
  const parties = { depositAsset: asset, userAddress: user ?? zeroAddress, to: undefined }
  return depositError(refusal, deployment, parties)
}

async function refuseWithdrawal(
  context: CapabilityContext,
  { deployment, user, asset, read }: AskedAsset<WithdrawalConditions>,
): Promise<void> {
  const accounts = { wantAsset: asset, userAddress: user ?? zeroAddress }
  const { paidAtOnce } = refuseEveryWithdrawal(deployment, accounts, read)
  if (paidAtOnce || user === null) return
  const { chainId, vault } = deployment
  const params = { ...accounts, chainId, vaultAddress: vault, shareAmount: AMPLE_SHARES }
  await refuseReceipt(context, {
    deployment,
    params: { ...params, refuseSmallRemainder: false, simulate: false },
    read,
  })
}

/** Whether an address can be registered; payments to it are settled while deposits are open. */
async function smartDepositCapability(
  context: CapabilityContext,
  { deployment, user }: Account,
): Promise<Capability> {
  const { chainId, vault: vaultAddress, assets } = deployment
  const receivers = smartDepositReceivers({
    ...(user && { userDestinationAddress: user }),
    chainId,
    vaultAddress,
  })
  const ofAccount = await openIfAllPass([
    () => factoryFor(context, { chainId }),
    () => {
      const refusal = receiverRefusal(context.addressBook, receivers)
      if (refusal) throw refusal
    },
    refuseSmartDepositAddresses(context, receivers),
  ])
  const ofTokens = await Promise.all(
    assets.map(({ address: inputToken }) =>
      openIfAllPass([refuseOtherToken(context, { chainId, vaultAddress, inputToken })]),
    ),
  )
  return openIfBothAre(ofAccount, openIfOneIs(ofTokens))
}
