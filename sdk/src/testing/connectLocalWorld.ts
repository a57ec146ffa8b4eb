import {
  createPublicClient,
  createWalletClient,
  http,
  type LocalAccount,
  type PublicClient,
  type WalletClient,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type CausewayClient, createCausewayClient } from '../createCausewayClient.ts'
import { forceOutcome } from './forceOutcome.ts'
import { type FundParameters, fundAccount } from './fundAccount.ts'
import { LocalWorldError } from './localWorldError.ts'
import type { Outcome, Outcomes } from './outcomes.ts'
import { readRunFile } from './readRunFile.ts'

/** The local world of `npm start`, for the tests of an app. */
export type LocalWorld = {
  /** With an API key that may do everything. */
  causeway: CausewayClient
  /** Accounts with a million of each token on each chain. */
  accounts: readonly LocalAccount[]
  chainIds: readonly number[]
  /** viem's clients of a chain, as the flows take them. Default: chain 1, the first account. */
  wallets(parameters?: { chainId?: number; account?: LocalAccount }): {
    walletClient: WalletClient
    publicClient: PublicClient
  }
  /** Gives any account tokens, and native coins for gas. */
  fund(parameters: FundParameters): Promise<void>
  /** Makes the world do something; the result takes it back. The world is shared: take it back at the end of a test. */
  force<Name extends Outcome>(outcome: Name, options: Outcomes[Name]): Promise<() => Promise<void>>
}

const POLL_MS = 100

/**
 * Connects to a local world that runs. `runFile` is the path or `file:` URL of its `.causeway/run.json`; by default the
 * nearest one above the working directory. Throws `LocalWorldError`.
 *
 * @example
 * const { causeway, accounts, wallets } = await connectLocalWorld()
 */
export async function connectLocalWorld(runFile?: string | URL): Promise<LocalWorld> {
  const run = await readRunFile(runFile)
  const { apiUrl: url, apiKey, shield } = run
  await createCausewayClient({ url, retry: { attempts: 1 } })
    .core.ready()
    .catch((cause: unknown) => {
      const message = `The local world of ${run.folder} does not answer at ${url}. Run \`npm start\` again.`
      throw new LocalWorldError(message, { cause })
    })
  const accounts = run.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey))
  const [first] = accounts
  function rpcUrlOf(chainId: number): string {
    const rpcUrl = run.rpcUrls[chainId]
    if (rpcUrl) return rpcUrl
    const known = Object.keys(run.rpcUrls).join(', ')
    throw new LocalWorldError(`The local world has no chain ${chainId}; it has ${known}`)
  }
  return {
    causeway: createCausewayClient({ url, apiKey, shield }),
    accounts,
    chainIds: Object.keys(run.rpcUrls).map(Number),
    wallets({ chainId = 1, account = first } = {}) {
      const transport = http(rpcUrlOf(chainId))
      const polling = { pollingInterval: POLL_MS, cacheTime: 0 }
      return {
        walletClient: createWalletClient({ ...(account ? { account } : {}), transport }),
        publicClient: createPublicClient({ transport, ...polling }),
      }
    },
    async fund(parameters) {
      await fundAccount(rpcUrlOf(parameters.chainId), accounts, parameters)
    },
    force: (outcome, options) => forceOutcome(run, outcome, options),
  }
}
