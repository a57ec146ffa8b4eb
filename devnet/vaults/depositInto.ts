import {
  type Address,
  encodeFunctionData,
  type Hex,
  type LocalAccount,
  parseAbi,
  type TransactionReceipt,
  zeroAddress,
} from 'viem'
import { depositorAAbi, depositorAbi } from '../../abis/depositor.ts'
import { chainTime } from '../chainTime.ts'
import { approve } from '../placeOrder.ts'
import { signAttestation } from '../signAttestation.ts'
import { type World, worldClient } from '../world.ts'
import type { VaultDeployment } from './deployment.ts'
import { sendCall } from './sendCall.ts'

export type DepositRequest = {
  user: LocalAccount
  deployment: VaultDeployment
  asset: Address
  /** Base units of the asset. */
  amount: bigint
  /** In share units; zero by default. */
  minimumMint?: bigint
  receiver?: Address
  distributorCode?: Hex
}

export type Attestation = {
  uuid: string
  expiration: bigint
  attester: Address
  signature: Hex
}

/** The attestation argument of a deposit that needs none. */
export const NO_ATTESTATION: Attestation = {
  uuid: '',
  expiration: 0n,
  attester: zeroAddress,
  signature: '0x',
}

const GOOD_FOR_SECONDS = 600n

/** Approves and deposits, with an attestation if the asset needs one. Throws if it reverts. */
export async function depositInto(
  world: World,
  request: DepositRequest,
): Promise<TransactionReceipt> {
  const { user, deployment, asset, amount } = request
  const { chainId, current } = deployment
  const client = worldClient(world, chainId)
  await approve(client, { user, token: asset, spender: current.depositor, amount })
  return sendCall(world, chainId, {
    account: user,
    address: current.depositor,
    data: await depositCalldata(world, request),
  })
}

/** Deposits the native coin. Throws if it reverts. */
export async function depositNative(
  world: World,
  request: Omit<DepositRequest, 'asset'>,
): Promise<TransactionReceipt> {
  const { user, deployment, amount, minimumMint = 0n, distributorCode = '0x' } = request
  const receiver = request.receiver ?? user.address
  const args = [amount, minimumMint, receiver, distributorCode] as const
  const data =
    deployment.current.generation === 'A'
      ? encodeFunctionData({ abi: NATIVE_A, functionName: 'depositNative', args })
      : encodeFunctionData({
          abi: depositorAbi,
          functionName: 'depositNative',
          args: [...args, NO_ATTESTATION],
        })
  const address = deployment.current.depositor
  return sendCall(world, deployment.chainId, { account: user, address, data, value: amount })
}

const NATIVE_A = parseAbi([
  'function depositNative(uint256 depositAmount, uint256 minimumMint, address to, bytes distributorCode) payable returns (uint256 shares)',
])

async function depositCalldata(world: World, request: DepositRequest): Promise<Hex> {
  const { deployment } = request
  if (deployment.current.generation === 'A') return statementData(request)
  const attestation = await attestationFor(world, request)
  return encodeFunctionData({
    abi: depositorAbi,
    functionName: 'deposit',
    args: [...depositArguments(request), attestation],
  })
}

function depositArguments({
  user,
  asset,
  amount,
  minimumMint = 0n,
  receiver = user.address,
  distributorCode = '0x',
}: DepositRequest) {
  return [asset, amount, minimumMint, receiver, distributorCode] as const
}

/** Calldata of the five-argument deposit: generation A takes it, and attestations describe it. */
export function statementData(request: DepositRequest): Hex {
  return encodeFunctionData({
    abi: depositorAAbi,
    functionName: 'deposit',
    args: depositArguments(request),
  })
}

async function attestationFor(world: World, request: DepositRequest): Promise<Attestation> {
  const { user, deployment, asset } = request
  const { chainId, current } = deployment
  const client = worldClient(world, chainId)
  const depositor = { address: current.depositor, abi: depositorAbi } as const
  const isAsked = await client.readContract({
    ...depositor,
    functionName: 'kytEnabled',
    args: [asset],
  })
  if (!isAsked) return NO_ATTESTATION
  const policy = await client.readContract({ ...depositor, functionName: 'getPolicyID' })
  const signed = await signAttestation(
    {
      chainId,
      policy,
      value: 0n,
      from: user.address,
      to: current.depositor,
      data: statementData(request),
    },
    Number((await chainTime(client)) + GOOD_FOR_SECONDS),
  )
  return { ...signed, expiration: BigInt(signed.expiration) }
}
