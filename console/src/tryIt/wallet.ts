import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  type EIP1193Provider,
  http,
  type LocalAccount,
  type PublicClient,
  type WalletClient,
} from 'viem'

/** viem's clients of one chain. */
type Clients = { walletClient: WalletClient; publicClient: PublicClient }

/** The wallet with which a journey is made. */
export type Wallet = {
  /** How the page names it, such as `the local account`. */
  name: string
  address: Address
  /** Whether this page has its key. */
  isLocal: boolean
  /** The clients of a chain, to which an injected wallet is switched first. */
  clientsOf: (chainId: number) => Promise<Clients>
}

const POLL_MS = 500

/** An account of the local world, whose key this page has. The api passes requests on to the local node. */
export function localWallet(account: LocalAccount): Wallet {
  return {
    name: 'the local account',
    address: account.address,
    isLocal: true,
    async clientsOf(chainId) {
      const transport = http(`${location.origin}/console/api/local-nodes/${chainId}`)
      return {
        walletClient: createWalletClient({ account, transport }),
        publicClient: createPublicClient({ transport, pollingInterval: POLL_MS, cacheTime: 0 }),
      }
    },
  }
}

/** A wallet that a browser extension has announced, once its user has chosen an account for this page. */
export async function injectedWallet(provider: EIP1193Provider, name: string): Promise<Wallet> {
  const transport = custom(provider)
  const [address] = await createWalletClient({ transport }).requestAddresses()
  if (!address) throw new Error('The wallet gave this page no account.')
  return {
    name,
    address,
    isLocal: false,
    async clientsOf(chainId) {
      const walletClient = createWalletClient({ account: address, transport })
      if ((await walletClient.getChainId()) !== chainId)
        await walletClient.switchChain({ id: chainId })
      return { walletClient, publicClient: createPublicClient({ transport }) }
    },
  }
}
