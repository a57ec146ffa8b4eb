import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runTraffic } from '../devnet/traffic.ts'
import { loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { readRunFile } from '../processes/start/runFile.ts'

/** `npm run traffic`: random orders on the local world that runs here, until Ctrl-C. */
const { perMinute, data } = new Command('traffic')
  .description('Keeps placing random orders on the running local world, one line each.')
  .option('--per-minute <number>', 'how many orders a minute', positive, 30)
  .option(
    '--data <folder>',
    'where the start keeps run.json',
    join(import.meta.dirname, '..', '.causeway'),
  )
  .parse()
  .opts<{ perMinute: number; data: string }>()

const run = await readRunFile(data)
if (run === null) fail(`Nothing runs here: ${join(data, 'run.json')} is missing. npm start first.`)
const users = run.accounts.flatMap(({ privateKey }) =>
  isHex(privateKey) ? [privateKeyToAccount(privateKey)] : [],
)
if (users.length === 0) fail(`${join(data, 'run.json')} names no accounts to order with.`)
const addressBook = await loadAddressBook(run.addressBook)
if (addressBook.transitRoutes.length === 0) fail('The address book has no transit routes.')
const rpcUrls = Object.fromEntries(
  Object.entries(run.rpcUrls).map(([chainId, url]) => [Number(chainId), url]),
)

const stopping = new AbortController()
for (const event of ['SIGTERM', 'SIGINT'] as const) process.once(event, () => stopping.abort())
await runTraffic({
  world: { rpcUrls, addressBook },
  users,
  perMinute,
  print: (line) => process.stdout.write(`${line}\n`),
  signal: stopping.signal,
})
process.exit(0)

function positive(text: string): number {
  const value = Number(text)
  if (!(value > 0)) throw new InvalidArgumentError('expected a number above 0')
  return value
}

function fail(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
