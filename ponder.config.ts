import { readFileSync } from 'node:fs'
import { createConfig } from 'ponder'
import { transitStationAbi } from './abis/transitStation.ts'
import { parseAddressBook } from './domain/addressBook/addressBook.ts'

/**
 * One Ponder process: the chains of INDEX_CHAINS, each read through the launcher's relay
 * (processes/indexer), which stands between Ponder and the real nodes.
 */
const addressBookPath = requireVariable('ADDRESS_BOOK')
const chainIds = requireVariable('INDEX_CHAINS').split(',').map(Number)
const relayUrl = requireVariable('RELAY_URL')

const book = parseAddressBook(JSON.parse(readFileSync(addressBookPath, 'utf8')), addressBookPath)
const chains = book.chains.filter(({ id }) => chainIds.includes(id))

/** Ponder gives each URL its own request budget, so one relay is named several times. */
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
        // The cache is keyed by chain id, not by node: two local worlds would share it.
        disableCache: book.environment === 'DEVELOPMENT',
      },
    ]),
  ),
  blocks: {
    Chain: {
      interval: 1,
      // Not one block of the past is read for this: a backfill ends with the first new head.
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
  },
})

function requireVariable(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Ponder is started by processes/indexer.ts, which sets ${name}`)
  return value
}
