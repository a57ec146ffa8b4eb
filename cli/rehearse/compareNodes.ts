import { type Address, numberToHex } from 'viem'
import type { AddressBook, AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { askBlock, askLogs, askNode, identityOf } from '../doctor/askNode.ts'
import { type Line, lines } from '../doctor/line.ts'
import { reasonOf } from '../doctor/reasonOf.ts'
import { indexedAddresses } from './indexedAddresses.ts'

/** Heads may differ by what a chain makes in this time, and always by three blocks. */
const HEAD_SECONDS = 15
const LEAST_HEADS = 3
/** The logs of so many of the newest final blocks are compared. */
const COMPARED_BLOCKS = 1_000
const ADVICE = 'Ask both providers. Until you know which one is right, use neither.'

type Pair = { book: AddressBook; chain: AddressBookChain; urls: [string, string] }

/** Whether two providers of a chain have the same blocks, logs and state. */
export async function compareNodes(
  book: AddressBook,
  chain: AddressBookChain,
  urls: [string, string],
): Promise<Line[]> {
  const hosts = urls.map((url) => new URL(url).host)
  const check = `nodes of chain ${chain.id}, ${hosts.join(' and ')}`
  const { ok, error, warning } = lines(check)
  try {
    const [one, other] = await Promise.all([headOf(urls[0]), headOf(urls[1])])
    const apart = Math.abs(one - other)
    const allowed = Math.max(LEAST_HEADS, Math.ceil(HEAD_SECONDS / chain.blockTimeSeconds))
    const behind = apart > allowed ? hosts[one < other ? 0 : 1] : null
    const common = Math.max(0, Math.min(one, other) - chain.finalityDepth)
    const pair = { book, chain, urls }
    const found = [
      ...(behind
        ? warning(
            `${behind} is ${apart} blocks behind the other`,
            'Look whether it is syncing. While it is behind, it is asked last.',
          )
        : []),
      ...(await compareBlocks(pair, common)).flatMap((message) => error(message, ADVICE)),
      ...(await compareLogs(pair, common)).flatMap((message) => error(message, ADVICE)),
      ...(await compareState(pair, common)).flatMap((message) => error(message, ADVICE)),
    ]
    return found.length > 0 ? found : ok(`the same blocks, logs and state up to block ${common}`)
  } catch (cause) {
    return warning(`could not be compared: ${reasonOf(cause)}`, 'Mend the nodes first.')
  }
}

async function headOf(url: string): Promise<number> {
  const block = await askBlock(url, 'latest')
  if (!block) throw new Error(`${new URL(url).host} has no newest block`)
  return Number(block.number)
}

/** The first block, a final one, and what a block says beside its hash. */
async function compareBlocks({ urls }: Pair, common: number): Promise<string[]> {
  const numbers = [...new Set([0, common])]
  const found = await Promise.all(
    numbers.map(async (number) => {
      const [one, other] = await Promise.all(urls.map((url) => askBlock(url, number)))
      if (one?.hash !== other?.hash)
        return number === 0
          ? ['their first blocks differ: they are of different chains']
          : [`they have different blocks ${number}, which is final`]
      const differing = (['timestamp', 'logsBloom', 'parentHash'] as const).filter(
        (field) => one?.[field] !== other?.[field],
      )
      return differing.map((field) => `they have different ${field} in block ${number}`)
    }),
  )
  return found.flat()
}

async function compareLogs({ book, chain, urls }: Pair, common: number): Promise<string[]> {
  const address = indexedAddresses(book, chain.id)
  if (address.length === 0) return []
  const [one = [], other = []] = await Promise.all(
    urls.map((url) => logsOf(url, address, Math.max(0, common - COMPARED_BLOCKS + 1), common)),
  )
  const [ofOne, ofOther] = [one, other].map((logs) => new Set(logs.map(identityOf)))
  const lacking = (logs: typeof one, known: Set<string> | undefined, url: string | undefined) => {
    const missing = logs.filter((log) => !known?.has(identityOf(log)))
    const [first] = missing
    return first
      ? [
          `${new URL(url ?? '').host} lacks ${missing.length} of ${logs.length} logs that the other has, the first is log ${Number(first.logIndex)} of block ${Number(first.blockNumber)}`,
        ]
      : []
  }
  return [...lacking(one, ofOther, urls[1]), ...lacking(other, ofOne, urls[0])]
}

/** In halves, where a node gives fewer blocks at once. */
async function logsOf(
  url: string,
  address: Address[],
  from: number,
  to: number,
): ReturnType<typeof askLogs> {
  try {
    return await askLogs(url, { address, from, to })
  } catch (cause) {
    if (from === to) throw cause
    const middle = Math.floor((from + to) / 2)
    const parts = [
      await logsOf(url, address, from, middle),
      await logsOf(url, address, middle + 1, to),
    ]
    return parts.flat()
  }
}

/** The code of every contract, and what a call of Multicall3 says, in a final block. */
async function compareState({ book, chain, urls }: Pair, common: number): Promise<string[]> {
  const at = numberToHex(common)
  const asked: [what: string, method: string, params: unknown[]][] = [
    ...[chain.multicall3, ...indexedAddresses(book, chain.id)].map(
      (address): [string, string, unknown[]] => [
        `the code of ${address}`,
        'eth_getCode',
        [address, at],
      ],
    ),
    ['the balance of Multicall3', 'eth_getBalance', [chain.multicall3, at]],
    // getBlockNumber()
    [
      'getBlockNumber() of Multicall3',
      'eth_call',
      [{ to: chain.multicall3, data: '0x42cbb15c' }, at],
    ],
    ...book.vaults
      .flatMap(({ deployments }) => deployments)
      .filter(({ chainId }) => chainId === chain.id)
      .map(({ vault: { address } }): [string, string, unknown[]] => [
        `totalSupply() of ${address}`,
        'eth_call',
        [{ to: address, data: '0x18160ddd' }, at],
      ]),
  ]
  const found = await Promise.all(
    asked.map(async ([what, method, params]) => {
      const [one, other] = await Promise.all(urls.map((url) => askNode(url, method, params)))
      return one === other ? [] : [`they differ in ${what} in block ${common}`]
    }),
  )
  return found.flat()
}
