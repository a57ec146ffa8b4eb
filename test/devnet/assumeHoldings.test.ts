import { join } from 'node:path'
import { type Address, encodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compileContracts } from '../../contracts/compileContracts.ts'
import { worldClient } from '../../devnet/world.ts'
import { assumeHoldings } from '../../domain/token/assumeHoldings.ts'
import { deployer, send, startStationWorld, station, tokens, user } from './stationWorld.ts'

const abi = parseAbi([
  'function setFlag(address account)',
  'function mint(address account, uint256 amount)',
  'function balanceOf(address account) view returns (uint256)',
  'function allowance(address owner, address spender) view returns (uint256)',
  'function isBlacklisted(address account) view returns (bool)',
])
const FOLDER = join(import.meta.dirname, '..', 'contracts')
const stranger: Address = `0x${'57'.repeat(20)}`
const amount = 5_000_000n

let world: Awaited<ReturnType<typeof startStationWorld>>
let packed: Address
beforeAll(async () => {
  world = await startStationWorld()
  const { PackedToken } = await compileContracts(FOLDER)
  if (!PackedToken) throw new Error('PackedToken.sol was not compiled')
  const client = worldClient(world, 1)
  const hash = await client.deployContract({ ...PackedToken, account: deployer })
  const { contractAddress } = await client.waitForTransactionReceipt({ hash })
  packed = contractAddress as Address
})
afterAll(() => world?.stop())

describe('assumeHoldings', () => {
  test.each(Object.entries(tokens))('default: balance and approval of %s', async (_, token) => {
    const { balance, allowance } = await assumed(token, stranger)
    expect([balance, allowance]).toEqual([amount, amount])
  })

  test.each([0n, 7n])(
    'behavior: what else is in the slot stays, over a balance of %i',
    async (held) => {
      const account: Address = `0x${(60n + held).toString(16).repeat(20)}`
      await call('mint', [account, held])
      await call('setFlag', [account])
      const { balance, allowance, isBlacklisted } = await assumed(packed, account)
      expect([balance, allowance, isBlacklisted]).toEqual([amount, amount, true])
    },
  )

  test('behavior: nothing is assumed of what is so already', async () => {
    const owner = user().address
    const holdings = { token: tokens.USDC, owner, amount }
    expect(await assumedOverride(holdings)).toEqual([])
  })

  test('behavior: null for what keeps its balances elsewhere, or has none', async () => {
    const holdings = { token: station, owner: stranger, amount }
    expect(await assumedOverride(holdings)).toBeNull()
  })
})

/** Cast, because TypeScript takes a client with more actions for no `PublicClient`. */
function assumedOverride(holdings: Parameters<typeof assumeHoldings>[1]) {
  return assumeHoldings(worldClient(world, 1) as never, holdings)
}

async function assumed(token: Address, owner: Address) {
  const client = worldClient(world, 1)
  const holdings = { token, owner, amount, spender: station }
  const stateOverride = await assumedOverride(holdings)
  if (!stateOverride) throw new Error('no slot was found')
  const contract = { address: token, abi, stateOverride } as const
  return {
    balance: await client.readContract({ ...contract, functionName: 'balanceOf', args: [owner] }),
    allowance: await client.readContract({
      ...contract,
      functionName: 'allowance',
      args: [owner, station],
    }),
    // Null for a token without a blacklist.
    isBlacklisted: await client
      .readContract({ ...contract, functionName: 'isBlacklisted', args: [owner] })
      .catch(() => null),
  }
}

function call(functionName: 'mint' | 'setFlag', args: unknown[]) {
  // Cast, because viem's types need the arguments of one of the functions.
  const data = encodeFunctionData({ abi, functionName, args } as never)
  return send(world, 1, { address: packed, account: deployer, data })
}
