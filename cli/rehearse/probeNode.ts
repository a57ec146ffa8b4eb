import { numberToHex } from 'viem'
import type { AddressBook, AddressBookChain } from '../../domain/addressBook/addressBook.ts'
import { askBlock, askLogs, askNode, askReceiptLogs, identityOf } from '../doctor/askNode.ts'
import { firstBlockOf } from '../doctor/checkNodes.ts'
import { type Line, lines } from '../doctor/line.ts'
import { reasonOf } from '../doctor/reasonOf.ts'
import { indexedAddresses } from './indexedAddresses.ts'

/** Widths of a range of logs that providers grant, widest first. */
const WIDTHS = [10_000, 2_000, 500, 100, 10, 1]
const ENOUGH_BLOCKS = 2_000
const SLOW_MS = 1_000
const LATENCY_CALLS = 5
const NOBODY = `0x${'0e'.repeat(20)}`
/** Returns 42. */
const FORTY_TWO = '0x602a60005260206000f3'
const METHODS: [method: string, params: unknown[]][] = [
  ['eth_gasPrice', []],
  ['eth_getBalance', [NOBODY, 'latest']],
  ['eth_getTransactionCount', [NOBODY, 'pending']],
  ['eth_estimateGas', [{ from: NOBODY, to: NOBODY }]],
]

type Probed = {
  url: string
  book: AddressBook
  chain: AddressBookChain
  head: number
  lines: ReturnType<typeof lines>
}

const PROBES: [what: string, probe: (probed: Probed) => Promise<Line[]>][] = [
  ['logs', probeLogs],
  ['old state', probeState],
  ['finality', probeTags],
  ['overrides', probeOverride],
  ['blocks', probeBlocks],
  ['the pool and gas', probeMethods],
  ['its head', probeLatency],
]

/** Asks one node for what the doctor does not ask, and reports what it cannot do. */
export async function probeNode(
  book: AddressBook,
  chain: AddressBookChain,
  url: string,
): Promise<Line[]> {
  const named = lines(`abilities of chain ${chain.id}, ${new URL(url).host}`)
  const newest = await askBlock(url, 'latest').catch(reasonOf)
  if (newest === null || typeof newest === 'string')
    return named.warning(
      `it could not be tried: ${newest ?? 'it has no newest block'}`,
      'Mend the node first.',
    )
  const probed = { url, book, chain, head: Number(newest.number), lines: named }
  const found = await Promise.all(
    PROBES.map(([what, probe]) =>
      probe(probed).catch((cause) =>
        named.error(
          `its answers about ${what} are wrong: ${reasonOf(cause)}`,
          'Take another node.',
        ),
      ),
    ),
  )
  const flat = found.flat()
  return flat.length > 0 ? flat : named.ok('logs, old state, finality, overrides and blocks')
}

/** How many blocks of logs it gives at once, and whether its receipts have the same logs. */
async function probeLogs({
  url,
  book,
  chain,
  head,
  lines: { error, warning },
}: Probed): Promise<Line[]> {
  const address = indexedAddresses(book, chain.id)
  if (address.length === 0) return []
  let refusal = ''
  for (const width of new Set(WIDTHS.map((one) => Math.min(one, head + 1)))) {
    const answered = await askLogs(url, { address, from: head - width + 1, to: head }).catch(
      (cause: unknown) => {
        refusal = reasonOf(cause)
        return null
      },
    )
    if (answered === null) continue
    const blocks = head - (firstBlockOf(book, chain.id) ?? 0)
    const narrow = width < Math.min(ENOUGH_BLOCKS, head + 1) && refusal !== ''
    return [
      ...(narrow
        ? warning(
            `it gives the logs of ${width} blocks at once (${refusal}): the first index takes ${Math.ceil(blocks / width)} calls`,
            'Take a plan with wider ranges, or give it time: the index works with any width.',
          )
        : []),
      ...(await judgeReceipt(url, answered.at(-1), error)),
    ]
  }
  return error(`it gives no logs of its newest block: ${refusal}`, 'Take a node with logs.')
}

async function judgeReceipt(
  url: string,
  log: Awaited<ReturnType<typeof askLogs>>[number] | undefined,
  error: Probed['lines']['error'],
): Promise<Line[]> {
  if (!log) return []
  const logs = await askReceiptLogs(url, log.transactionHash)
  if (logs === null)
    return error(
      `it gives a log of the transaction ${log.transactionHash} and has no receipt of it`,
      'Take another node: the keeper and simulations need receipts.',
    )
  if (logs.some((other) => identityOf(other) === identityOf(log))) return []
  return error(
    `a log of the transaction ${log.transactionHash} is not the one in its receipt`,
    'Take another node: one of the two answers is wrong.',
  )
}

async function probeState({ url, book, chain, lines: { warning } }: Probed): Promise<Line[]> {
  const first = firstBlockOf(book, chain.id)
  if (first === null) return []
  try {
    await askNode(url, 'eth_getCode', [chain.multicall3, numberToHex(first)])
    return []
  } catch (cause) {
    return warning(
      `it has no state of block ${first}: ${reasonOf(cause)}`,
      'None, to run: only start blocks cannot be proved with it. An archive node can.',
    )
  }
}

async function probeTags({ url, head, lines: { warning } }: Probed): Promise<Line[]> {
  const found = await Promise.all(
    ['safe', 'finalized'].map(async (tag) => {
      // Most nodes refuse a tag that they do not know.
      const block = await askBlock(url, tag).catch(() => null)
      return block !== null && Number(block.number) <= head + 1 ? [] : [tag]
    }),
  )
  const lacking = found.flat()
  if (lacking.length === 0) return []
  return warning(
    `it has no block ${lacking.join(' and ')}`,
    'None, to run: finality is counted in blocks (finalityDepth of the book).',
  )
}

async function probeOverride({ url, lines: { error } }: Probed): Promise<Line[]> {
  const call = [{ to: NOBODY, data: '0x' }, 'latest', { [NOBODY]: { code: FORTY_TWO } }]
  const answered = await askNode(url, 'eth_call', call).catch(reasonOf)
  if (Number(answered) === 42) return []
  return error(
    `it does not take state overrides in eth_call (${String(answered)})`,
    'Take a node that does: simulate=true, gas limits and the check of transfer fees need them.',
  )
}

async function probeBlocks({ url, head, lines: { error } }: Probed): Promise<Line[]> {
  const block = await askBlock(url, head)
  const [same, parent] = await Promise.all([
    askBlock(url, block?.hash ?? ''),
    head > 0 ? askBlock(url, head - 1) : null,
  ])
  const isSound =
    block !== null &&
    same?.hash === block.hash &&
    same.timestamp === block.timestamp &&
    (parent === null ? head === 0 : parent.hash === block.parentHash)
  if (isSound) return []
  return error(
    `its block ${head} by number, by hash and its parent do not fit`,
    'If the chain was not reorganised just now, take another node. A balancer of nodes that differ does this too.',
  )
}

async function probeMethods({ url, lines: { error } }: Probed): Promise<Line[]> {
  const refused = await Promise.all(
    METHODS.map(async ([method, params]) => {
      const answered = await askNode(url, method, params).catch(() => null)
      return typeof answered === 'string' && answered.startsWith('0x') ? [] : [method]
    }),
  )
  if (refused.flat().length === 0) return []
  return error(`it does not answer ${refused.flat().join(', ')}`, 'Take a node that does.')
}

async function probeLatency({ url, lines: { warning } }: Probed): Promise<Line[]> {
  const times: number[] = []
  for (let call = 0; call < LATENCY_CALLS; call += 1) {
    const start = performance.now()
    // A refusal has its time too; the doctor counts refusals.
    await askNode(url, 'eth_blockNumber', []).catch(() => null)
    times.push(performance.now() - start)
  }
  const median = times.sort((a, b) => a - b)[Math.floor(LATENCY_CALLS / 2)] ?? 0
  if (median < SLOW_MS) return []
  return warning(
    `it takes ${Math.round(median)} ms for the number of its newest block`,
    'Take a node that is nearer: a quote is refused after 2.6 s.',
  )
}
