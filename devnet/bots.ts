import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { createLogger } from '../processes/logger.ts'
import { startExecutor } from './bots/executor.ts'
import { startRelayer } from './bots/relayer.ts'

/** The parts nobody else plays on local nodes. Needs ADDRESS_BOOK and RPC_URL_<chainId> of its chains. */
const addressBook = await loadAddressBook(process.env.ADDRESS_BOOK ?? '')
const world = {
  addressBook,
  rpcUrls: Object.fromEntries(
    addressBook.chains.flatMap(({ id }) => {
      const url = process.env[`RPC_URL_${id}`]
      return url ? [[id, url]] : []
    }),
  ),
}
const logger = createLogger('bots', process.env.LOG_LEVEL || 'info')
startRelayer({ world, logger })
startExecutor({ world, logger })
for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => process.exit(0))
