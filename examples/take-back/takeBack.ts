/** Takes back what lies at smart deposit addresses, by nodes, the public address book and the users' keys alone: see README.md. */
import { readFileSync } from 'node:fs'
import {
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  keccak256,
  parseAbi,
  publicActions,
  toHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const abi = parseAbi([
  'struct Inputs { address destination; address vault; address inputToken; uint256 chainId; bytes32 customer; }',
  'function accountOf(Inputs inputs) view returns (address)',
  'function withdrawalOpensAt(address account) view returns (uint256)',
  'function WITHDRAWAL_WINDOW() view returns (uint256)',
  'function requestWithdrawal(Inputs inputs) returns (uint256)',
  'function withdraw(Inputs inputs, address token) returns (uint256)',
])
const { BOOK = 'address-book.json', ADDRESSES = 'addresses.json' } = process.env
const book = JSON.parse(readFileSync(BOOK, 'utf8'))
const addresses = JSON.parse(readFileSync(ADDRESSES, 'utf8'))
type Place = (typeof addresses)[number] & { id: number; url: string; factory: Hex }

for (const { id, smartDeposit } of book.chains) {
  const factories = [smartDeposit, ...(smartDeposit?.otherFactories ?? [])]
  const url = process.env[`RPC_URL_${id}`]
  // One that fails holds up none of the others.
  for (const { factory } of url ? factories.filter((one) => one?.generation === 'B') : [])
    for (const given of addresses)
      await takeBack({ ...given, id, url, factory }).catch((error) => say(id, `failed: ${error}`))
}

async function takeBack({ id, url, factory: address, ...given }: Place) {
  const account = privateKeyToAccount(given.privateKey ?? process.env.PRIVATE_KEY)
  const wallet = createWalletClient({ account, transport: http(url), pollingInterval: 200 })
  const client = wallet.extend(publicActions)
  const inputs = {
    destination: account.address,
    vault: given.vaultAddress,
    inputToken: given.inputToken,
    chainId: BigInt(given.chainId),
    customer: given.customerId
      ? keccak256(toHex(`${given.organizationId}:${given.customerId}`))
      : zeroHash,
  }
  const factory = { address, abi, chain: null } as const
  const from = await client.readContract({ ...factory, functionName: 'accountOf', args: [inputs] })
  const lying: Hex[] = (await client.getBalance({ address: from })) > 0n ? [zeroAddress] : []
  for (const token of book.tokens.filter((one: { chainId: number }) => one.chainId === id)) {
    const balanceOf = { abi: erc20Abi, functionName: 'balanceOf', args: [from] } as const
    if ((await client.readContract({ address: token.address, ...balanceOf })) > 0n)
      lying.push(token.address)
  }
  if (lying.length === 0) return
  const asked = { ...factory, functionName: 'withdrawalOpensAt', args: [from] } as const
  const opensAt = await client.readContract(asked)
  const window = await client.readContract({ ...factory, functionName: 'WITHDRAWAL_WINDOW' })
  const { timestamp: now } = await client.getBlock()
  if (opensAt === 0n || now >= opensAt + window) {
    const request = { ...factory, functionName: 'requestWithdrawal', args: [inputs] } as const
    await client.waitForTransactionReceipt({ hash: await client.writeContract(request) })
    return say(id, `${from}: requested; run this again after ${await client.readContract(asked)}`)
  }
  if (now < opensAt) return say(id, `${from}: waits until ${opensAt}`)
  for (const token of lying) {
    const taking = { ...factory, functionName: 'withdraw', args: [inputs, token] } as const
    const hash = await client.writeContract(taking).catch((error) => say(id, `${from}: ${error}`))
    if (hash) await client.waitForTransactionReceipt({ hash })
    if (hash) say(id, `${from}: took all of ${token} in ${hash}`)
  }
}

function say(chainId: number, text: string) {
  process.stdout.write(`chain ${chainId}: ${text}\n`)
}
