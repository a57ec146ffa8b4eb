import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runTraffic, TrafficError } from '../devnet/traffic.ts'
import { AddressBookError, loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { readRunFile } from '../processes/start/runFile.ts'

/** `npm run traffic`: random orders on the local world that runs here, until Ctrl-C. */
type Options = { perMinute: number; count?: number; data: string }

const { perMinute, count, data } = new Command('traffic')
  .description('Keeps placing random orders on the running local world, one line each.')
  .option('--per-minute <number>', 'how many orders a minute, on average', positive, 30)
  .option('--count <number>', 'end after so many orders; without it, at Ctrl-C', positiveInteger)
  .option('--data <folder>', 'where the start keeps run.json', findDataDirectory(process.env))
  .parse()
  .opts<Options>()

for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => process.exit(0))

try {
  await runTraffic({
    ...(await findWorld()),
    perMinute,
    ...(count === undefined ? {} : { count }),
    print: (line) => process.stdout.write(`${line}\n`),
  })
} catch (error) {
  const isExpected = error instanceof TrafficError || error instanceof AddressBookError
  process.stderr.write(`error: ${isExpected ? error.message : String(error)}\n`)
  process.exitCode = 1
}

async function findWorld() {
  const file = join(data, 'run.json')
  const run = await readRunFile(data)
  if (run === null)
    throw new TrafficError(`Nothing runs here: ${file} is missing. Run npm start first.`)
  const users = run.accounts.flatMap(({ privateKey }) =>
    isHex(privateKey) ? [privateKeyToAccount(privateKey)] : [],
  )
  if (users.length === 0)
    throw new TrafficError(`${file} names no accounts to order with: it is of no local world`)
  const addressBook = await loadAddressBook(run.addressBook)
  return { world: { rpcUrls: run.rpcUrls, addressBook }, users }
}

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('expected a number above 0')
  return value
}

function positiveInteger(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1)
    throw new InvalidArgumentError('expected an integer from 1')
  return value
}
