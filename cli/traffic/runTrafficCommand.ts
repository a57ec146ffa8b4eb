import { join } from 'node:path'
import { InvalidArgumentError } from 'commander'
import { isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { runTraffic, TrafficError } from '../../devnet/traffic.ts'
import { AddressBookError, loadAddressBook } from '../../domain/addressBook/addressBook.ts'
import { findDataDirectory } from '../../processes/dataDirectory.ts'
import { readRunFile } from '../../processes/start/runFile.ts'
import type { CommandProcess } from '../commandProcess.ts'
import { runProgram } from '../runProgram.ts'

type Options = { perMinute: number; count?: number; data: string }

/**
 * Runs `npm run traffic`: places random orders on the running local world, without end unless a count is
 * given. Returns its exit code: 1 after an error, which it has printed.
 */
export function runTrafficCommand(
  parameters: string[],
  commandProcess: CommandProcess,
): Promise<number> {
  return runProgram(parameters, commandProcess, {
    name: 'traffic',
    description: 'Places random orders on the running local world and prints one line for each.',
    expected: [TrafficError, AddressBookError],
    addCommands(program, run, { env, stdout }) {
      program
        .option('--per-minute <number>', 'average number of orders per minute', positive, 30)
        .option(
          '--count <number>',
          'stop after this number of orders (default: at Ctrl-C)',
          positiveInteger,
        )
        .option('--data <folder>', 'data directory of npm start', findDataDirectory(env))
        .action(({ perMinute, count, data }: Options) =>
          run(async () => {
            await runTraffic({
              ...(await findWorld(data)),
              perMinute,
              ...(count === undefined ? {} : { count }),
              print: (line) => stdout.write(`${line}\n`),
            })
            return true
          }),
        )
    },
  })
}

async function findWorld(data: string) {
  const file = join(data, 'run.json')
  const run = await readRunFile(data)
  if (run === null)
    throw new TrafficError(`No local world runs here (${file} is missing). Run npm start first.`)
  const users = run.accounts.flatMap(({ privateKey }) =>
    isHex(privateKey) ? [privateKeyToAccount(privateKey)] : [],
  )
  if (users.length === 0)
    throw new TrafficError(
      `Only a local world has accounts that place orders, and ${file} has none. Run npm start without RPC_URL_<chainId>.`,
    )
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
