import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  erc20Abi,
  getContractAddress,
  keccak256,
  parseAbi,
  parseAbiParameters,
  parseEther,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runDeployFactory } from '../../cli/deployFactory/runDeployFactory.ts'
import { compileWorld } from '../../devnet/deployWorld.ts'
import { type DevnetClient, devnetClient } from '../../devnet/world.ts'
import { startTestAnvils, type TestAnvils } from '../support/anvils.ts'
import { type EndedCommand, endedCommand } from '../support/endedCommand.ts'

/** What a user knows: the factory, and the inputs of its address. */
const publicAbi = parseAbi([
  'struct Inputs { address destination; address vault; address inputToken; uint256 chainId; bytes32 customer; }',
  'function accountOf(Inputs inputs) view returns (address)',
  'function withdrawalDelay() view returns (uint256)',
  'function requestWithdrawal(Inputs inputs) returns (uint256)',
  'function withdraw(Inputs inputs, address token) returns (uint256)',
  'function pause()',
])
const PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
const CHAIN_IDS = [1, 4663]
const payerKey = generatePrivateKey()
const payer = privateKeyToAccount(payerKey)
const guardian = privateKeyToAccount(generatePrivateKey())
const DAY_SECONDS = 86_400

const SETTINGS = {
  operator: `0x${'0b'.repeat(20)}`,
  guardian: guardian.address,
  recoveryWallet: `0x${'4e'.repeat(20)}`,
  station: `0x${'57'.repeat(20)}`,
  timelockDelaySeconds: 3 * DAY_SECONDS,
  withdrawalDelaySeconds: DAY_SECONDS,
  maxTransitFeeBps: 50,
}

let anvils: TestAnvils
let folder: string
let keyFile: string
let clients: DevnetClient[]
beforeAll(async () => {
  anvils = await startTestAnvils(CHAIN_IDS)
  clients = CHAIN_IDS.map((id) => devnetClient(id, anvils.rpcUrls[id] ?? ''))
  for (const client of clients)
    for (const { address } of [payer, guardian])
      await client.setBalance({ address, value: parseEther('1000') })
  folder = await mkdtemp(join(tmpdir(), 'causeway-factory-'))
  keyFile = await write('payer.key', `${payerKey}\n`)
})
afterAll(async () => {
  await anvils.stop()
  await rm(folder, { recursive: true })
})

describe('deploy-factory', () => {
  test('default: a dry run names the addresses and the gas, and sends nothing', async () => {
    const { code, stdout, stderr } = await deployFactory({})
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/chain 1: would create SmartDepositTimelock 0x/)
    expect(stdout).toMatch(/chain 4663: would create SmartDepositFactoryB 0x.*big blocks/)
    for (const client of clients)
      expect(await client.getCode({ address: at(stdout) })).toBe(undefined)
  })

  test('behavior: the same addresses on every chain, verified; again, nothing is created', async () => {
    const first = await deployFactory({ execute: true })
    expect([first.code, first.stderr]).toEqual([0, ''])
    expect(first.stdout.match(/: created by 0x/g)).toHaveLength(4)
    expect(first.stdout.match(/: verified/g)).toHaveLength(2)
    const inputs = inputsOf(payer.address, null)
    const [one, two] = await Promise.all(
      clients.map((client) =>
        client.readContract({
          address: at(first.stdout),
          abi: publicAbi,
          functionName: 'accountOf',
          args: [inputs],
        }),
      ),
    )
    expect(one).toBe(two)
    expect(one).toBe(addressByTheDocs(first.stdout, inputs))

    const again = await deployFactory({ execute: true })
    expect([again.code, again.stderr]).toEqual([0, ''])
    expect(again.stdout).not.toContain('created by')
    expect(again.stdout.match(/: is there/g)).toHaveLength(4)
  })

  test('behavior: another setting is another factory', async () => {
    const [one, two] = await Promise.all([
      deployFactory({}),
      deployFactory({ settings: { ...SETTINGS, withdrawalDelaySeconds: DAY_SECONDS + 1 } }),
    ])
    expect(at(one.stdout)).not.toBe(at(two?.stdout ?? ''))
  })

  test('error: every mistake in the settings; nothing is asked of a node', async () => {
    const wrong = { ...SETTINGS, recoveryWallet: zeroAddress, maxTransitFeeBps: 1_001 }
    const { code, stderr } = await deployFactory({ settings: wrong })
    expect(code).toBe(1)
    expect(stderr).toContain('recoveryWallet: expected an account')
    expect(stderr).toContain('maxTransitFeeBps')
    const mean = await deployFactory({ settings: { ...SETTINGS, maxTransitFeeBps: 49 } })
    expect(mean.stderr).toContain('maxTransitFeeBps: at least 50')
    const hasty = await deployFactory({
      settings: { ...SETTINGS, timelockDelaySeconds: 2 * DAY_SECONDS - 1 },
    })
    expect(hasty.stderr).toContain('must be a day longer')
  })

  test('error: a chain without the proxy, or with another contract there; the others go on', async () => {
    const [client] = clients
    const code = await client?.getCode({ address: PROXY })
    for (const bytecode of ['0x', '0x6001'] as const) {
      await client?.setCode({ address: PROXY, bytecode })
      const ended = await deployFactory({})
      expect(ended.code).toBe(1)
      expect(ended.stderr).toContain('chain 1: there is no deployment proxy')
      expect(ended.stdout).toContain('chain 4663: ')
    }
    await client?.setCode({ address: PROXY, bytecode: code ?? '0x' })
  })

  test('error: code that is not what was planned', async () => {
    const [client] = clients
    const { stdout } = await deployFactory({ execute: true })
    const address = at(stdout)
    const code = (await client?.getCode({ address })) ?? '0x'
    // Its last bytes, which hold no immutable value.
    await client?.setCode({ address, bytecode: `${code.slice(0, -2) as '0x'}ff` })
    const ended = await deployFactory({})
    await client?.setCode({ address, bytecode: code })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toContain('chain 1: SmartDepositFactoryB')
    expect(ended.stderr).toContain('other code than planned')
  })
})

describe('the last resort', () => {
  test('behavior: by the factory and the inputs alone, users take back everything, on any chain', async () => {
    const { stdout } = await deployFactory({ execute: true })
    const factory = { address: at(stdout), abi: publicAbi } as const
    for (const client of clients) {
      const token = await createToken(client)
      const users = Array.from({ length: 5 }, (_, index) => ({
        user: privateKeyToAccount(generatePrivateKey()),
        customer: index % 2 === 0 ? null : `customer_${index}`,
      }))
      const lots = await Promise.all(
        users.map(async ({ user, customer }) => {
          const inputs = inputsOf(user.address, customer)
          const account = await client.readContract({
            ...factory,
            functionName: 'accountOf',
            args: [inputs],
          })
          return { user, inputs, account }
        }),
      )
      for (const { user, account } of lots) {
        await client.setBalance({ address: user.address, value: parseEther('1') })
        await client.setBalance({ address: account, value: parseEther('2') })
      }
      await mint(
        client,
        token,
        lots.map(({ account }) => account),
      )
      await send(client, { ...factory, account: guardian, functionName: 'pause', args: [] })

      for (const { user: account, inputs } of lots)
        await send(client, {
          ...factory,
          account,
          functionName: 'requestWithdrawal',
          args: [inputs],
        })
      const [{ user, inputs }] = lots as [(typeof lots)[number]]
      const early = { ...factory, account: user, functionName: 'withdraw', args: [inputs, token] }
      await expect(client.simulateContract(early as never)).rejects.toThrow()
      const delay = await client.readContract({ ...factory, functionName: 'withdrawalDelay' })
      await client.increaseTime({ seconds: Number(delay) })
      await client.mine({ blocks: 1 })
      for (const lot of lots)
        for (const of of [token, zeroAddress])
          await send(client, {
            ...factory,
            account: lot.user,
            functionName: 'withdraw',
            args: [lot.inputs, of],
          })

      for (const lot of lots) {
        expect(await balance(client, token, lot.user.address)).toBe(AMOUNT)
        expect(await balance(client, token, lot.account)).toBe(0n)
        expect(await client.getBalance({ address: lot.account })).toBe(0n)
        expect(await client.getBalance({ address: lot.user.address })).toBeGreaterThan(
          parseEther('2.9'),
        )
      }
    }
  })
})

const AMOUNT = 25_000_000n

function inputsOf(destination: Address, customer: string | null) {
  return {
    destination,
    vault: `0x${'7a'.repeat(20)}`,
    inputToken: `0x${'70'.repeat(20)}`,
    chainId: 1n,
    customer: customer
      ? keccak256(toHex(`2f6a1c5e-8d3b-4b7a-9c1e-5f0d7e8a9b10:${customer}`))
      : zeroHash,
  } as const
}

/** As docs/design/one-address.md computes it. */
function addressByTheDocs(stdout: string, inputs: ReturnType<typeof inputsOf>): Address {
  const { destination, vault, inputToken, chainId, customer } = inputs
  const args = encodeAbiParameters(parseAbiParameters('address, address, address, uint256'), [
    destination,
    vault,
    inputToken,
    chainId,
  ])
  const salt = keccak256(concatHex([args, customer]))
  const implementation = (/^implementation +(0x\w+)$/m.exec(stdout)?.[1] ?? '0x') as Address
  const bytecode = concatHex([
    '0x6100ad3d81600a3d39f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
    args,
  ])
  return getContractAddress({ opcode: 'CREATE2', from: at(stdout), salt, bytecode })
}

async function createToken(client: DevnetClient): Promise<Address> {
  const { PlainToken } = await compileWorld()
  if (!PlainToken) throw new Error('there is a PlainToken')
  const hash = await client.deployContract({
    ...PlainToken,
    account: payer,
    args: ['Plain', 'P', 6, payer.address],
  })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('the token was created')
  return contractAddress
}

async function mint(client: DevnetClient, address: Address, to: Address[]) {
  const abi = parseAbi(['function mint(address[] accounts, uint256 amount)'])
  await send(client, { account: payer, address, abi, functionName: 'mint', args: [to, AMOUNT] })
}

/** Throws if it reverts. */
async function send(client: DevnetClient, call: object) {
  // Cast, because viem's types need the arguments of one of the functions.
  const hash = await client.writeContract(call as never)
  const { status } = await client.waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
}

function balance(client: DevnetClient, address: Address, account: Address) {
  return client.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [account] })
}

/** The factory that a run printed. */
function at(stdout: string): Address {
  return (/^factory +(0x\w+)$/m.exec(stdout)?.[1] ?? '0x') as Address
}

type Run = { settings?: object; execute?: boolean }

async function deployFactory({ settings = SETTINGS, execute = false }: Run): Promise<EndedCommand> {
  const file = await write(
    `${keccak256(toHex(JSON.stringify(settings)))}.json`,
    JSON.stringify(settings),
  )
  const chains = CHAIN_IDS.flatMap((id) => ['--chain', String(id)])
  const sending = execute ? ['--execute', '--key-file', keyFile] : []
  const env = Object.fromEntries(
    Object.entries(anvils.rpcUrls).map(([id, url]) => [`RPC_URL_${id}`, url]),
  )
  return endedCommand(runDeployFactory, ['--settings', file, ...chains, ...sending], env)
}

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, text)
  return path
}
