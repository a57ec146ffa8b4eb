import type { Page } from 'playwright-core'
import type { Address } from 'viem'

/** A request of a page to a wallet (EIP-1193). */
type Asked = { method: string; params?: readonly unknown[] }
type Refusal = { code: number; message: string }

type WalletOptions = {
  name: string
  address: Address
  /** Nodes on which the account is unlocked, by chain id. */
  rpcUrls: Record<number, string>
  /** The chain of the wallet before a page switches it. */
  chainId: number
}

/** The answer of an extension to a request that the user refuses. */
const USER_REJECTED = { code: 4001, message: 'The user rejected the request.' }
const UNKNOWN_CHAIN = { code: 4902, message: 'The wallet does not know this chain.' }

/**
 * Puts a wallet into a page before its scripts run: it announces itself by EIP-6963, and passes requests on to the node of
 * its chain. `asked` has the methods; `refuse` lets the user refuse the next requests of one.
 */
export async function injectWallet(target: Page, { name, address, rpcUrls, ...at }: WalletOptions) {
  let { chainId } = at
  const asked: string[] = []
  const refused = new Set<string>()

  async function answer({ method, params = [] }: Asked): Promise<unknown> {
    asked.push(method)
    if (refused.delete(method)) throw USER_REJECTED
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [address]
    if (method === 'eth_chainId') return `0x${chainId.toString(16)}`
    if (method === 'wallet_switchEthereumChain') {
      const [wanted] = params as [{ chainId: string }]
      if (!rpcUrls[Number(wanted.chainId)]) throw UNKNOWN_CHAIN
      chainId = Number(wanted.chainId)
      return null
    }
    const url = rpcUrls[chainId]
    if (!url) throw UNKNOWN_CHAIN
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as { result?: unknown; error?: Refusal }
    if (error) throw error
    return result
  }

  await target.exposeFunction('askTestWallet', (request: Asked) =>
    answer(request).then(
      (result) => ({ result }),
      (error: Refusal) => ({ error: { code: error.code, message: error.message } }),
    ),
  )
  await target.addInitScript((walletName) => {
    // Cast, because this runs in the page, where Playwright defines the first of these.
    const page = globalThis as unknown as {
      askTestWallet(request: Asked): Promise<{ result?: unknown; error?: Refusal }>
      dispatchEvent(event: Event): boolean
      addEventListener(type: string, listener: () => void): void
    }
    const provider = {
      async request(request: Asked) {
        const { result, error } = await page.askTestWallet(request)
        if (error) throw Object.assign(new Error(error.message), { code: error.code })
        return result
      },
      on() {},
      removeListener() {},
    }
    const info = {
      uuid: '350670db-19fa-4704-a166-e52e178b59d2',
      name: walletName,
      icon: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
      rdns: 'example.wallet',
    }
    const announce = () =>
      page.dispatchEvent(
        new CustomEvent('eip6963:announceProvider', {
          detail: Object.freeze({ info, provider }),
        }),
      )
    page.addEventListener('eip6963:requestProvider', announce)
    announce()
  }, name)
  return { asked, refuse: (method: string) => void refused.add(method) }
}
