import '@picocss/pico/css/pico.min.css'
import { type ConnectionOptions, createCausewayClient } from '@causeway/sdk'
import * as causeway from '@causeway/sdk/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createStore } from 'mipd'
import { useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import * as viem from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const ROUTE = {
  sourceChainId: 1,
  offerAsset: '0x85A6cEaD4812bd9008FcaF460f32E388eCeAB5c3', // USDC
  destinationChainId: 4663,
  wantAsset: '0x69e033B6Da21D3DC7e4f1684081901712032c3C8', // USDG
} as const
const transport = viem.http(`${location.origin}/rpc`)
const publicClient = viem.createPublicClient({ transport })
const injected = createStore() // the wallets that announce themselves (EIP-6963)
const key = import.meta.env.PRIVATE_KEY // of the local world
const local = key && viem.createWalletClient({ account: privateKeyToAccount(key), transport })
declare const SHIELD: ConnectionOptions['shield'] // a part of the page: no server can change it
const usd = (amount = 0n) => `${viem.formatUnits(amount, 6)} USDG`

function Connect({ use }: { use: (wallet: viem.WalletClient) => void }) {
  const found = useSyncExternalStore(injected.subscribe, injected.getProviders)
  const connect = async ({ provider }: (typeof found)[number]) => {
    const [account] = await provider.request({ method: 'eth_requestAccounts' })
    use(viem.createWalletClient({ account, transport: viem.custom(provider) }))
  }
  const named = found.map((wallet) => [wallet.info.name, () => connect(wallet)] as const)
  return [...named, ...(local ? [['Local account', () => use(local)] as const] : [])].map(
    ([name, onClick]) => <input type="button" key={name} value={name} onClick={onClick} />,
  )
}

function Order({ orderId, close }: { orderId: viem.Hash; close: () => void }) {
  const { data: order } = causeway.useTransitOrder({ orderId }) // live
  const paid = order && order.amountDue - order.remainingAmountDue
  return (
    <>
      <h4 role="status">{order?.status ?? 'SENT'}</h4>
      <progress max={Number(order?.amountDue ?? 1)} value={Number(paid ?? 0)} />
      <p>{usd(paid)} paid</p>
      {order?.timeline.map(({ step, timestamp, txHash }) => (
        <p key={step + txHash}>{`${timestamp.toLocaleTimeString()} ${step}`}</p>
      ))}
      <input type="button" value="Close" onClick={close} />
    </>
  )
}

function Send() {
  const [walletClient, use] = useState<viem.WalletClient>()
  const [amount, setAmount] = useState('2500')
  const userAddress = walletClient?.account?.address
  const offerAmount = /^\d*\.?\d+$/.test(amount) ? viem.parseUnits(amount, 6) : 0n // neither '' nor '1e5'
  const offer = userAddress && offerAmount > 0n && { ...ROUTE, userAddress, offerAmount }
  const { data: quote, error } = causeway.useTransitQuote(offer || null) // always fresh
  const { mutate, reset, ...sent } = causeway.useSendTransitOrder()
  if (!walletClient) return <Connect use={use} />
  const send = () => quote && mutate({ walletClient, publicClient, quote })
  if (sent.data) return <Order orderId={sent.data.id} close={reset} />
  return (
    <>
      <input type="number" value={amount} onChange={({ target }) => setAmount(target.value)} />
      <p>{quote ? `The receiver gets ${usd(quote.amountOut)}` : error?.message}</p>
      <input type="button" value="Send" disabled={!quote || sent.isPending} onClick={send} />
      <p role="alert">{sent.error?.message}</p>
    </>
  )
}

createRoot(document.getElementById('root') ?? document.body).render(
  <QueryClientProvider client={new QueryClient()}>
    <causeway.CausewayProvider client={createCausewayClient({ url: '/api', shield: SHIELD })}>
      <Send />
    </causeway.CausewayProvider>
  </QueryClientProvider>,
)
