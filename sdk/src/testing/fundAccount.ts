import {
  type Address,
  createTestClient,
  erc20Abi,
  http,
  type LocalAccount,
  parseEther,
  publicActions,
  walletActions,
} from 'viem'
import { LocalWorldError } from './localWorldError.ts'

export type FundParameters = {
  chainId: number
  account: Address
  /** The token's address, with `amount` in base units. */
  token?: Address
  amount?: bigint
  /** The least balance of the native coin that it has afterwards, in wei. Default: 10 ether. */
  coins?: bigint
}

const POLL_MS = 100
/** Other programs may send from the same account at the same time. */
const TRIES = 5
const TAKEN = /nonce|underpriced|already known/i

/** Gives an account native coins, so that it can pay for gas, and tokens of the last account that has enough of them. */
export async function fundAccount(
  rpcUrl: string,
  accounts: readonly LocalAccount[],
  { account: address, token, amount = 0n, coins = parseEther('10') }: FundParameters,
): Promise<void> {
  const node = createTestClient({
    mode: 'anvil',
    transport: http(rpcUrl),
    pollingInterval: POLL_MS,
    cacheTime: 0,
  })
    .extend(publicActions)
    .extend(walletActions)
  if ((await node.getBalance({ address })) < coins) {
    await node.setBalance({ address, value: coins })
    // A local chain is kept on disk when it has a new block.
    await node.mine({ blocks: 1 })
  }
  if (!token || amount === 0n) return
  const held = { address: token, abi: erc20Abi, functionName: 'balanceOf' } as const
  const balances = await Promise.all(
    accounts.map((account) => node.readContract({ ...held, args: [account.address] })),
  ).catch((cause: unknown) => {
    throw new LocalWorldError(`${token} is no token of this chain`, { cause })
  })
  const bank = accounts[balances.findLastIndex((balance) => balance >= amount)]
  if (!bank)
    throw new LocalWorldError(`no account of the world has ${amount} base units of ${token} left`)
  for (let tries = 1; ; tries++) {
    try {
      const hash = await node.writeContract({
        account: bank,
        chain: null,
        address: token,
        abi: erc20Abi,
        functionName: 'transfer',
        args: [address, amount],
      })
      await node.waitForTransactionReceipt({ hash })
      return
    } catch (error) {
      if (tries === TRIES || !TAKEN.test(String(error))) throw error
    }
  }
}
