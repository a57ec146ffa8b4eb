import { encodeFunctionData, parseUnits, toHex, zeroAddress } from 'viem'
import { depositorAbi } from '../../abis/depositor.ts'
import { DEVNET_SOLVER } from '../../devnet/accounts.ts'
import { signAttestation } from '../../devnet/signAttestation.ts'
import type { VaultDeployment } from '../../devnet/vaults/deployment.ts'
import {
  type DepositRequest,
  NO_ATTESTATION,
  statementData,
} from '../../devnet/vaults/depositInto.ts'
import { POLICY_ID } from '../../devnet/vaults/plan.ts'
import {
  type Asset,
  assetAddress,
  assetDecimals,
  DEPOSITING,
  outcast,
  PLAYERS,
  pickAsset,
  pickHolder,
  recovery,
  someOf,
} from './vaultActors.ts'
import { type HandCall, type PlayedCall, played, type VaultPlayer } from './vaultPlayer.ts'

/** Deposits, transfers and direct withdrawals of shares. A plan is empty if nothing can be done. */

/** A deadline long after any history, since the block's time is drawn later. */
const ATTESTED_UNTIL = 4_000_000_000

export async function planDeposit(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const deployment = random.pick(player.deployments)
  const user = random.pick(DEPOSITING)
  const receiver = random.chance(0.7) ? user : random.pick([...PLAYERS, outcast])
  return depositCalls(player, {
    user,
    deployment,
    receiver: receiver.address,
    asset: pickAsset(player, deployment),
  })
}

type Deposit = Pick<DepositRequest, 'user'> & {
  deployment: VaultDeployment
  asset: Asset
  receiver: `0x${string}`
}

/** A part of an amount, drawn at random. */
export async function depositCalls(
  player: VaultPlayer,
  { asset: planned, ...deposit }: Deposit,
): Promise<PlayedCall[]> {
  const { random, chainId } = player
  const { user, deployment, receiver } = deposit
  const { depositor, generation } = deployment.current
  const asset = assetAddress(player, planned)
  const scale = assetDecimals(planned) - (planned.token === 'WETH' ? 3 : 1)
  const amount =
    parseUnits(String(random.integer(10, 5_000)), scale) + BigInt(random.integer(0, 99_999))
  const request = { user, deployment, asset, amount, receiver, distributorCode: toHex('sim') }
  if (generation === 'A')
    return [{ from: user.address, to: depositor, data: statementData(request) }]
  const attestation = planned.isAttested
    ? await signAttestation(
        {
          chainId,
          from: user.address,
          to: depositor,
          data: statementData(request),
          value: 0n,
          policy: POLICY_ID,
        },
        ATTESTED_UNTIL,
      )
    : NO_ATTESTATION
  const attested = { ...attestation, expiration: BigInt(attestation.expiration) }
  const terms = [amount, 0n, receiver, request.distributorCode] as const
  const abi = depositorAbi
  // A wrapped asset may come as the native coin too.
  if (planned.token === 'WETH' && random.chance(0.5)) {
    const data = encodeFunctionData({
      abi,
      functionName: 'depositNative',
      args: [...terms, attested],
    })
    return [{ from: user.address, to: depositor, data, value: amount }]
  }
  const data = encodeFunctionData({
    abi,
    functionName: 'deposit',
    args: [asset, ...terms, attested],
  })
  return [{ from: user.address, to: depositor, data }]
}

/** Also of 0, to the sender itself, to the zero address, and of the whole balance. */
export async function planTransfer(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const deployment = random.pick(player.deployments)
  const holder = await pickHolder(player, deployment, DEPOSITING)
  const from = holder?.account ?? random.pick(PLAYERS)
  const to = random.chance(0.15)
    ? from
    : random.pick([...PLAYERS, outcast, recovery, { address: zeroAddress }])
  const amount = random.chance(0.15) ? 0n : someOf(player, holder?.balance ?? 0n)
  const call = transferCall(to.address, amount)
  return [played({ from: from.address, to: deployment.vault, call })]
}

export function transferCall(to: `0x${string}`, amount: bigint): HandCall {
  return ['function transfer(address, uint256)', to, amount]
}

/** Sent by an account that may burn shares for assets without a queue. */
export async function planWithdrawalAtOnce(player: VaultPlayer): Promise<PlayedCall[]> {
  const { random } = player
  const deployment = random.pick(player.deployments)
  const holding = await pickHolder(player, deployment, [DEVNET_SOLVER])
  if (!holding) return planDeposit(player)
  const asset = assetAddress(player, pickAsset(player, deployment))
  const to = random.chance(0.6) ? DEVNET_SOLVER : random.pick(PLAYERS)
  return [
    played({
      from: DEVNET_SOLVER.address,
      to: deployment.current.teller,
      call: [
        'function bulkWithdraw(address, uint256, uint256, address)',
        asset,
        someOf(player, holding.balance),
        0n,
        to.address,
      ],
    }),
  ]
}
