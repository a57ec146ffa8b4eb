import { join } from 'node:path'
import {
  type Address,
  createWalletClient,
  custom,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  keccak256,
  parseAbi,
  parseEther,
  parseUnits,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { userAt } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { worldClient } from '../../devnet/world.ts'
import { createCausewayClient } from '../../sdk/src/createCausewayClient.ts'
import { keyOf } from '../support/ask.ts'
import type { TestProduct } from '../support/product.ts'
import { sdkWallets } from '../support/sdkWallets.ts'

const abi = parseAbi([
  'function execute(bytes32 txHash, address to, uint256 value, bytes data)',
  'function executeAsBefore(bytes32 txHash, address to, uint256 value, bytes data)',
  'function executeSilently(bytes32 txHash, address to, uint256 value, bytes data)',
])
type Execution = (typeof abi)[number]['name']
type Call = { to: Address; value?: Hex; data: Hex }

/** The last owner signs, and the transaction comes after that. */
const SIGNING_MS = 300
const { USDC, USDG } = DEPLOYMENT.tokens
const { vault } = vaultDeployment('Harbor Dollar', 1)
const payer = userAt(0)

/** The SDK's flows with a wallet that gives the hash of what the owners of a Safe sign, and not of a transaction. */
export function testSdkSafe(product: () => TestProduct) {
  describe('a wallet that gives another hash than that of the transaction', () => {
    const node = () => worldClient(product().world, 1)
    const causeway = () =>
      createCausewayClient({
        url: product().url,
        apiKey: keyOf(product().url) ?? '',
        shield: product().shield,
      })

    /** An account with code, coins and tokens. */
    async function deploySafe(): Promise<Address> {
      const { SafeStandIn } = await compileContracts(join(import.meta.dirname, '../contracts'))
      const address = privateKeyToAddress(generatePrivateKey())
      await node().setCode({ address, bytecode: SafeStandIn?.deployedBytecode ?? '0x' })
      await node().setBalance({ address, value: parseEther('1') })
      const { walletClient, publicClient } = sdkWallets(product().world, payer)
      const hash = await walletClient.writeContract({
        chain: null,
        address: USDC,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [address, parseUnits('5000', 6)],
      })
      await publicClient.waitForTransactionReceipt({ hash })
      return address
    }

    /** `alter` changes what the owners execute. */
    function walletsOf(
      safe: Address,
      functionName: Execution,
      alter: (call: Call) => Call = (call) => call,
    ) {
      const execute = async (txHash: Hash, call: Call) => {
        const { walletClient } = sdkWallets(product().world, payer)
        const { to, data, value = '0x0' } = alter(call)
        const args = [txHash, to, BigInt(value), data] as const
        const gas = 5_000_000n
        await walletClient.sendTransaction({
          chain: null,
          to: safe,
          data: encodeFunctionData({ abi, functionName, args }),
          gas,
        })
      }
      const request = async ({ method, params }: { method: string; params?: unknown }) => {
        if (method !== 'eth_sendTransaction') return node().request({ method, params } as never) // viem types each method by its name.
        const [call] = params as [Call]
        const txHash = keccak256(call.data)
        setTimeout(() => void execute(txHash, call), SIGNING_MS)
        return txHash
      }
      const walletClient = createWalletClient({ account: safe, transport: custom({ request }) })
      return { ...sdkWallets(product().world, payer), walletClient, account: safe }
    }

    test.each<Execution>(['execute', 'executeAsBefore', 'executeSilently'])(
      'default: an order is followed from its approval on: %s',
      async (execution) => {
        const safe = await deploySafe()
        const given: Hash[] = []
        const quote = await causeway().transit.quote({
          userAddress: payer.address,
          payerAddress: safe,
          offerAsset: USDC,
          offerAmount: parseUnits('2500', 6),
          sourceChainId: 1,
          wantAsset: USDG,
          destinationChainId: 4663,
        })
        const { id, hash, receipt } = await causeway().transit.send({
          ...walletsOf(safe, execution),
          quote,
          receiptTimeoutMs: 20_000,
          onSent: (sent) => void given.push(sent.hash),
        })
        expect(given).toHaveLength(2)
        expect(given).not.toContain(hash)
        expect(receipt.status).toBe('success')
        const order = await causeway().transit.wait(id, { until: 'SUBMITTED' })
        expect(order.sourceTxHash).toBe(hash)
      },
    )

    test('behavior: a deposit and a withdrawal, whose request is found', async () => {
      const safe = await deploySafe()
      const place = { ...walletsOf(safe, 'execute'), chainId: 1, vaultAddress: vault }
      const { preview } = await causeway().earn.deposit({
        ...place,
        depositAsset: USDC,
        depositAmount: parseUnits('50', 6),
      })
      const { request } = await causeway().earn.withdraw({
        ...place,
        wantAsset: USDC,
        shareAmount: preview.expectedShares ?? 0n,
      })
      expect(request).toMatchObject({ offerAmount: preview.expectedShares })
    })

    test.each<Execution>(['execute', 'executeAsBefore'])(
      'error: a call that fails within the Safe: %s',
      async (execution) => {
        const safe = await deploySafe()
        const broken = walletsOf(safe, execution, (call) => ({ ...call, data: '0xdeadbeef' }))
        const deposit = causeway().earn.deposit({
          ...broken,
          chainId: 1,
          vaultAddress: vault,
          depositAsset: USDC,
          depositAmount: parseUnits('50', 6),
        })
        await expect(deposit).rejects.toMatchObject({ reason: 'TRANSACTION_REVERTED' })
      },
    )

    test('error: a hash that nothing shows may be mined later', async () => {
      const safe = await deploySafe()
      const silent = walletsOf(safe, 'executeSilently', (call) => ({
        ...call,
        to: safe,
        data: '0x',
      }))
      const deposit = causeway().earn.deposit({
        ...silent,
        receiptTimeoutMs: 1_000,
        chainId: 1,
        vaultAddress: vault,
        depositAsset: USDC,
        depositAmount: parseUnits('50', 6),
      })
      await expect(deposit).rejects.toMatchObject({ reason: 'TRANSACTION_PENDING' })
    })
  })
}
