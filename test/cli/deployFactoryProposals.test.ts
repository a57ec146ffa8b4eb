import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  encodeAbiParameters,
  erc20Abi,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  parseEther,
  toHex,
  zeroHash,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Proposal } from '../../cli/deployFactory/proposals.ts'
import { runDeployFactory } from '../../cli/deployFactory/runDeployFactory.ts'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { type DevnetClient, worldClient } from '../../devnet/world.ts'
import { NO_ATTESTATION } from '../../domain/earn/deposits/attestDeposit.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { type EndedCommand, endedCommand } from '../support/endedCommand.ts'

const abi = parseAbi([
  'struct Inputs { address destination; address vault; address inputToken; uint256 chainId; bytes32 customer; }',
  'struct Settlement { Inputs inputs; bytes32 payment; uint8 kind; bytes terms; }',
  'function accountOf(Inputs inputs) view returns (address)',
  'function routeOf(address vault) view returns (address depositor, uint8 form)',
  'function endpointOf(uint256 chainId) view returns (uint32)',
  'function settle(Settlement one) payable',
])
const DAY_SECONDS = 86_400
const AMOUNT = 25_000_000n
const payerKey = generatePrivateKey()
const payer = privateKeyToAccount(payerKey)
const operator = privateKeyToAccount(generatePrivateKey())
const keeper = privateKeyToAccount(generatePrivateKey())

const SETTINGS = {
  operator: operator.address,
  guardian: `0x${'6a'.repeat(20)}`,
  recoveryWallet: `0x${'4e'.repeat(20)}`,
  station: DEPLOYMENT.station,
  timelockDelaySeconds: 3 * DAY_SECONDS,
  withdrawalDelaySeconds: DAY_SECONDS,
  maxTransitFeeBps: 50,
}

let started: TestWorld
let client: DevnetClient
let folder: string
beforeAll(async () => {
  started = await startTestWorld([1], { withVaults: true })
  client = worldClient(started.world, 1)
  for (const { address } of [payer, operator, keeper])
    await client.setBalance({ address, value: parseEther('100') })
  folder = await mkdtemp(join(tmpdir(), 'causeway-proposals-'))
})
afterAll(async () => {
  await started.stop()
  await rm(folder, { recursive: true })
})

describe('deploy-factory --proposals', () => {
  test('default: after the delay the keeper settles into the vaults of the address book', async () => {
    const { code, stdout, stderr } = await deployFactory('--keeper', keeper.address)
    expect([code, stderr]).toEqual([0, ''])
    const address = (/^factory +(0x\w+)$/m.exec(stdout)?.[1] ?? '0x') as Address
    const factory = { address, abi } as const
    const [proposal] = JSON.parse(await readFile(join(folder, 'out.json'), 'utf8')) as [Proposal]

    await send(operator, proposal.to, proposal.schedule)
    await expect(
      client.call({ account: operator, to: proposal.to, data: proposal.execute }),
    ).rejects.toThrow()
    await client.increaseTime({ seconds: SETTINGS.timelockDelaySeconds })
    await send(operator, proposal.to, proposal.execute)

    // One depositor with attestations, and one of generation A.
    for (const [name, inputToken, form] of [
      ['Harbor Dollar', DEPLOYMENT.tokens.USDC, 2],
      ['Harbor Classic', DEPLOYMENT.tokens.USDT, 1],
    ] as const) {
      const { vault, current } = vaultDeployment(name, 1)
      expect(
        await client.readContract({ ...factory, functionName: 'routeOf', args: [vault] }),
      ).toEqual([current.depositor, form])
      const destination = privateKeyToAccount(generatePrivateKey()).address
      const inputs = { destination, vault, inputToken, chainId: 1n, customer: zeroHash }
      const account = await client.readContract({
        ...factory,
        functionName: 'accountOf',
        args: [inputs],
      })
      await mint(inputToken, account)
      const payment = keccak256(toHex(name))
      const one = { inputs, payment, kind: 0, terms: TERMS }
      const hash = await client.writeContract({
        ...factory,
        account: keeper,
        functionName: 'settle',
        args: [one],
      })
      expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
      expect(await balance(vault, destination)).toBeGreaterThan(0n)
      expect(await balance(inputToken, account)).toBe(0n)
    }
    const eid = started.world.addressBook.chains.find(({ id }) => id === 1)?.eid
    expect(await client.readContract({ ...factory, functionName: 'endpointOf', args: [1n] })).toBe(
      eid,
    )
  })

  test('error: without a keeper or a book', async () => {
    const { code, stderr } = await deployFactory()
    expect([code, stderr]).toEqual([
      1,
      'error: --proposals needs --file and at least one --keeper\n',
    ])
  })
})

const TERMS = encodeAbiParameters(
  parseAbiParameters([
    'DepositTerms terms',
    'struct Attestation { string uuid; uint256 expiration; address attester; bytes signature; }',
    'struct DepositTerms { uint256 amount; uint256 minimumMint; bytes distributorCode; Attestation attestation; }',
  ]),
  [{ amount: AMOUNT, minimumMint: 1n, distributorCode: '0x', attestation: NO_ATTESTATION }],
)

async function deployFactory(...more: string[]): Promise<EndedCommand> {
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }
  const parameters = [
    '--settings',
    await write('settings.json', JSON.stringify(SETTINGS)),
    '--chain',
    '1',
    '--execute',
    '--key-file',
    await write('payer.key', payerKey),
    '--proposals',
    join(folder, 'out.json'),
    '--file',
    await write('book.json', JSON.stringify(started.addressBook)),
    ...more,
  ]
  const env = { RPC_URL_1: started.world.rpcUrls[1] }
  return endedCommand(runDeployFactory, parameters, env)
}

/** Throws if it reverts. */
async function send(account: PrivateKeyAccount, to: Address, data: Hex) {
  const hash = await client.sendTransaction({ account, to, data })
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
}

async function mint(address: Address, to: Address) {
  const minting = parseAbi(['function mint(address[] accounts, uint256 amount)'])
  const hash = await client.writeContract({
    account: DEVNET_ACTORS.deployer,
    address,
    abi: minting,
    functionName: 'mint',
    args: [[to], AMOUNT],
  })
  await client.waitForTransactionReceipt({ hash })
}

function balance(address: Address, account: Address) {
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}
