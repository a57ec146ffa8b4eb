import { createConfig } from 'ponder'
import type { Abi } from 'viem'
import { accountantAAbi, accountantAbi } from './abis/accountant.ts'
import { depositorAAbi, depositorAbi, depositorBAbi, depositorCAbi } from './abis/depositor.ts'
import { feeModuleAbi } from './abis/feeModule.ts'
import { tellerAAbi, tellerAbi } from './abis/teller.ts'
import { transitStationAbi } from './abis/transitStation.ts'
import { vaultAbi } from './abis/vault.ts'
import { withdrawQueueAAbi, withdrawQueueAbi, withdrawQueueBAbi } from './abis/withdrawQueue.ts'
import { readIndexedBook, requireVariable } from './domain/addressBook/indexedBook.ts'
import { type IndexedDeployment, indexedDeployments } from './domain/addressBook/indexedChains.ts'

/**
 * The configuration of one Ponder process: the chains of INDEX_CHAINS. Ponder reads each through the
 * launcher's relay (processes/indexer), which forwards to the real nodes.
 */
const book = readIndexedBook()
const chainIds = requireVariable('INDEX_CHAINS').split(',').map(Number)
const relayUrl = requireVariable('RELAY_URL')

const chains = book.chains.filter(({ id }) => chainIds.includes(id))

/** Ponder has a request budget per URL, so the relay is listed under several. */
const RELAY_ALIASES = 10

export default createConfig({
  ordering: 'multichain',
  database: { kind: 'postgres', connectionString: requireVariable('DATABASE_URL') },
  chains: Object.fromEntries(
    chains.map(({ id }) => [
      `chain${id}`,
      {
        id,
        rpc: Array.from({ length: RELAY_ALIASES }, (_, alias) => `${relayUrl}/${id}/${alias}`),
        ws: `${relayUrl.replace('http', 'ws')}/${id}`,
        // Ponder's cache is keyed by chain id, not by node: two local worlds would share it.
        disableCache: book.environment === 'DEVELOPMENT',
      },
    ]),
  ),
  blocks: {
    Chain: {
      interval: 1,
      // No past block is read for this: a backfill ends with the first new head.
      chain: Object.fromEntries(chains.map(({ id }) => [`chain${id}`, { startBlock: 'latest' }])),
    },
  },
  contracts: {
    TransitStation: {
      abi: transitStationAbi,
      chain: Object.fromEntries(
        chains.flatMap(({ id, transitStation }) =>
          transitStation ? [[`chain${id}`, { ...transitStation }]] : [],
        ),
      ),
    },
    // One entry for each generation: generations share topics with different layouts.
    Vault: around(vaultAbi, ({ vault: { address, startBlock: fromBlock } }) => [
      { address, fromBlock },
    ]),
    TellerA: around(tellerAAbi, ({ tellers }) => tellers.filter(isOf('A'))),
    TellerB: around(tellerAbi, ({ tellers }) => tellers.filter(isOf('B'))),
    AccountantA: around(accountantAAbi, ({ accountants }) => accountants.filter(isOf('A'))),
    AccountantB: around(accountantAbi, ({ accountants }) => accountants.filter(isOf('B'))),
    DepositorA: around(depositorAAbi, ({ depositors }) => depositors.filter(isOf('A'))),
    DepositorB: around(depositorBAbi, ({ depositors }) => depositors.filter(isOf('B'))),
    DepositorC: around(depositorCAbi, ({ depositors }) => depositors.filter(isOf('C'))),
    DepositorD: around(depositorAbi, ({ depositors }) => depositors.filter(isOf('D'))),
    QueueA: around(withdrawQueueAAbi, ({ queues }) => queues.filter(isOf('A'))),
    QueueB: around(withdrawQueueBAbi, ({ queues }) => queues.filter(isOf('B'))),
    QueueC: around(withdrawQueueAbi, ({ queues }) => queues.filter(isOf('C'))),
    FeeModule: around(feeModuleAbi, ({ feeModules }) => feeModules),
  },
})

type Listed = { address: `0x${string}`; fromBlock: number }

/**
 * One kind of contract, of all vaults of these chains. Replaced contracts stay indexed: a withdrawal
 * request may still wait in an old queue.
 */
function around<const OfAbi extends Abi>(abi: OfAbi, list: (of: IndexedDeployment) => Listed[]) {
  const chain = Object.fromEntries(
    chains.flatMap(({ id }) => {
      const listed = indexedDeployments(book, id).flatMap(list)
      if (listed.length === 0) return []
      const address = [...new Set(listed.map((entry) => entry.address))]
      const startBlock = Math.min(...listed.map(({ fromBlock }) => fromBlock))
      return [[`chain${id}`, { address, startBlock }]]
    }),
  )
  return { abi, chain }
}

function isOf(generation: string) {
  return (entry: { generation: string }) => entry.generation === generation
}
