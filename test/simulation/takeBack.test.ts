import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, erc20Abi, parseAbi, parseEther, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEVNET_ACTORS } from '../../devnet/accounts.ts'
import { DEPLOYMENT } from '../../devnet/deployment.ts'
import { vaultDeployment } from '../../devnet/vaults/deployment.ts'
import { ONE_ADDRESS } from '../../devnet/vaults/writeOneAddress.ts'
import { type World, worldClient } from '../../devnet/world.ts'
import { smartDepositAddress } from '../../domain/smartDeposit/smartDepositAddress.ts'
import { startTestWorld, type TestWorld } from '../support/anvils.ts'
import { spawnedCommand } from '../support/endedCommand.ts'

const CHAINS = [1, 4663, 11_155_111]
const SCRIPT = join(import.meta.dirname, '../../examples/take-back/takeBack.ts')
const COUNT = 200
const SEED = 20_261_126
const ORGANIZATION = '2f6a1c5e-8d3b-4b7a-9c1e-5f0d7e8a9b10'
const { USDC, USDG, USDP } = DEPLOYMENT.tokens
const { vault } = vaultDeployment('Harbor Dollar', 1)
const mintAbi = parseAbi(['function mint(address[] accounts, uint256 amount)'])

/** Something that lies at an address. */
type Lot = { chainId: number; token: Address; amount: bigint; owner: Address; from: Address }

let started: TestWorld
let world: World
let folder: string
beforeAll(async () => {
  started = await startTestWorld(CHAINS, { withVaults: true })
  ;({ world } = started)
  folder = await mkdtemp(join(tmpdir(), 'causeway-take-back-'))
})
afterAll(async () => {
  await started?.stop()
  if (folder) await rm(folder, { recursive: true })
})

/** An address of a user with a key of its own, and what the script needs to know of it. */
function newPlace(index: number) {
  const privateKey = generatePrivateKey()
  const owner = privateKeyToAccount(privateKey).address
  const customer =
    index % 2 === 0 ? {} : { customerId: `customer_${index}`, organizationId: ORGANIZATION }
  const inputs = { vaultAddress: vault, inputToken: USDC, chainId: 1, ...customer }
  const { factory: address, implementation } = ONE_ADDRESS
  const from = smartDepositAddress(
    { address, implementation, generation: 'B' },
    {
      ...inputs,
      userDestinationAddress: owner,
      customerId: null,
      organizationId: null,
      ...customer,
    },
  )
  return { owner, from, file: { ...inputs, privateKey } }
}

const balance = (chainId: number, token: Address, account: Address) => {
  const client = worldClient(world, chainId)
  return token === zeroAddress
    ? client.getBalance({ address: account })
    : client.readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [account],
      })
}

/** Numbers of the minimal standard generator, the same in each run. */
function draws(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

async function fill(lots: Lot[]) {
  for (const [, same] of Map.groupBy(lots, (lot) => `${lot.chainId} ${lot.token} ${lot.amount}`)) {
    const [{ chainId, token, amount } = { chainId: 1, token: zeroAddress, amount: 0n }] = same
    const client = worldClient(world, chainId)
    const accounts = same.map(({ from }) => from)
    if (token === zeroAddress)
      for (const address of accounts) await client.setBalance({ address, value: amount })
    else {
      const call = { address: token, abi: mintAbi, functionName: 'mint', chain: null } as const
      const hash = await client.writeContract({
        ...call,
        account: DEVNET_ACTORS.deployer,
        args: [accounts, amount],
      })
      await client.waitForTransactionReceipt({ hash })
    }
  }
}

/** A chain of the book with a further factory of generation B before the one that has the addresses. */
async function withFurtherFactory(chain: World['addressBook']['chains'][number]) {
  const client = worldClient(world, chain.id)
  const bytecode = await client.getCode({ address: ONE_ADDRESS.factory })
  if (!chain.smartDeposit || !bytecode) return chain
  const address: Address = `0x${'fb'.repeat(20)}`
  await client.setCode({ address, bytecode })
  const { otherFactories = [], ...factory } = chain.smartDeposit
  const further = { ...factory, generation: 'B', factory: address }
  return {
    ...chain,
    smartDeposit: { ...further, otherFactories: [factory, ...otherFactories] },
  }
}

/** Runs the example as a user does: it gets nodes, the public book and keys. */
async function takeBack() {
  const urls = CHAINS.map((id) => [`RPC_URL_${id}`, world.rpcUrls[id]])
  const { stdout, stderr, code } = await spawnedCommand(SCRIPT, [], {
    ...Object.fromEntries(urls),
    BOOK: join(folder, 'address-book.json'),
    ADDRESSES: join(folder, 'addresses.json'),
  })
  expect([code, stderr]).toEqual([0, ''])
  return stdout.trim().split('\n').filter(Boolean)
}

test(`behavior: of ${COUNT} addresses on ${CHAINS.length} chains every unit is taken back, with the operator gone and hostile`, async () => {
  const draw = draws(SEED)
  const places = Array.from({ length: COUNT }, (_, index) => newPlace(index))
  const lots = places.flatMap(({ owner, from }): Lot[] => {
    const chainId = CHAINS[draw(CHAINS.length)] ?? 1
    const kinds = [USDC, USDG, USDP, zeroAddress]
    const first = kinds[draw(4)] ?? USDC
    const lot = { chainId, owner, from }
    const some = [{ ...lot, token: first, amount: BigInt(1 + draw(3)) * 10n ** 6n }]
    // A fifth has something on a second chain too.
    const second = CHAINS.find((id) => id !== chainId) ?? 1
    return draw(5) === 0 ? [...some, { ...lot, chainId: second, token: USDG, amount: 7n }] : some
  })
  await fill(lots)
  for (const chainId of CHAINS) {
    const client = worldClient(world, chainId)
    for (const { owner } of places)
      await client.setBalance({ address: owner, value: parseEther('1') })
    // The operator does what it can against it.
    const { factoryOwner: account } = DEVNET_ACTORS
    const hash = await client.writeContract({
      account,
      address: ONE_ADDRESS.factory,
      abi: parseAbi(['function pause()']),
      functionName: 'pause',
      chain: null,
    })
    await client.waitForTransactionReceipt({ hash })
  }
  const { chains, ...others } = world.addressBook
  const book = { ...others, chains: await Promise.all(chains.map(withFurtherFactory)) }
  await writeFile(join(folder, 'address-book.json'), JSON.stringify(book))
  await writeFile(join(folder, 'addresses.json'), JSON.stringify(places.map(({ file }) => file)))

  const lying = new Set(lots.map(({ chainId, from }) => `${chainId} ${from}`))
  const requested = await takeBack()
  expect(requested).toHaveLength(lying.size)
  expect(requested.every((line) => line.includes('requested'))).toBe(true)
  expect((await takeBack()).every((line) => line.includes('waits until'))).toBe(true)
  for (const chainId of CHAINS) {
    await worldClient(world, chainId).increaseTime({ seconds: 3_600 })
    await worldClient(world, chainId).mine({ blocks: 1 })
  }
  const taken = await takeBack()
  expect(taken).toHaveLength(lots.length)
  expect(taken.every((line) => line.includes('took all of'))).toBe(true)
  for (const { chainId, token, amount, owner, from } of lots) {
    expect(await balance(chainId, token, from)).toBe(0n)
    // Of coins, the gas was paid from the same account.
    if (token !== zeroAddress) expect(await balance(chainId, token, owner)).toBe(amount)
  }
  expect(await takeBack()).toEqual([])
}, 300_000)
