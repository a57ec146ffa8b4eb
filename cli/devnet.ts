import { Command, InvalidArgumentError } from 'commander'
import { type Address, isAddress } from 'viem'
import {
  ControlError,
  mineBlocks,
  payAccount,
  reorganiseChain,
  setAssetClosed,
  setBlacklisted,
  setCapClosed,
  setDollarPrice,
  setFrozen,
  setKeeperBroke,
  setPaused,
  setSanctioned,
} from '../devnet/controls.ts'
import type { World } from '../devnet/world.ts'
import { AddressBookError, loadAddressBook } from '../domain/addressBook/addressBook.ts'
import { findDataDirectory } from '../processes/dataDirectory.ts'
import { readRunFile } from '../processes/start/runFile.ts'

/**
 * `npm run devnet -- <command>`: causes refusals, pauses, prices, payments and reorganisations in the running local
 * world. `@causeway/sdk/testing` runs the same commands.
 */
type Options = { chain: number; data: string; vault: string }

const program = new Command('devnet').description(
  'Causes refusals, pauses, prices, payments and reorganisations in the running local world, to test how an application handles them.',
)

for (const [on, off, list, set] of [
  ['blacklist', 'unblacklist', "USDC's blacklist", setBlacklisted],
  ['sanction', 'unsanction', "the sanctions oracle's list", setSanctioned],
  ['freeze', 'unfreeze', "the vault's list of frozen accounts", setFrozen],
] as const)
  pair(
    [`${on} <account>`, `put an account on ${list}`],
    [`${off} <account>`, `take an account off ${list}`],
    (world, at, isOn, account) => set(world, { ...at, account: addressOf(account) }, isOn),
  )
pair(['pause', "pause the vault's teller"], ['unpause', "unpause the vault's teller"], setPaused)
pair(
  ['close-cap', "close the vault's supply cap"],
  ['open-cap', "open the vault's supply cap"],
  setCapClosed,
)
pair(
  ['close-asset <token>', 'stop deposits of a token, such as USDC, into the vault'],
  ['open-asset <token>', 'allow deposits of a token, such as USDC, into the vault'],
  (world, at, isClosed, token) => setAssetClosed(world, { ...at, token }, isClosed),
)
pair(
  ['drain-keeper', 'set the balance of the keeper to 0, so that it cannot pay for gas'],
  ['fill-keeper', 'give the keeper enough coins for gas'],
  setKeeperBroke,
)
command(
  'pay <units> <token> <account>',
  'send whole units of a token from the first user to an account',
  (world, { chainId }, units, token, account) =>
    payAccount(world, { chainId, units, token, account: addressOf(account) }),
)
command(
  'depeg <usd>',
  'set the price of the dollar tokens of the chain, such as 0.97',
  (world, at, usd) => setDollarPrice(world, at, priceOf(usd)),
)
command('repeg', 'set the price of the dollar tokens of the chain to 1 USD again', (world, at) =>
  setDollarPrice(world, at, null),
)
command(
  'reorg <blocks>',
  'replace the newest blocks of the chain by empty ones',
  (world, at, blocks) => reorganiseChain(world, at, countOf(blocks)),
)
command('mine <blocks>', 'add empty blocks to the chain, as for finality', (world, at, blocks) =>
  mineBlocks(world, at, countOf(blocks)),
)

await program.parseAsync()

type At = { chainId: number; vault: string }
type Named = [signature: string, description: string]

/** Two commands: the first causes something, and the second takes it back. */
function pair(
  on: Named,
  off: Named,
  control: (world: World, at: At, isOn: boolean, ...given: string[]) => Promise<unknown>,
) {
  command(...on, (world, at, ...given) => control(world, at, true, ...given))
  command(...off, (world, at, ...given) => control(world, at, false, ...given))
}

function command(
  signature: string,
  description: string,
  control: (world: World, at: At, ...given: string[]) => Promise<unknown>,
) {
  program
    .command(signature)
    .description(description)
    .option('--chain <id>', 'chain id', Number, 1)
    .option('--vault <name>', 'name of the vault', 'Harbor Prime')
    .option('--data <folder>', 'data directory of npm start', findDataDirectory(process.env))
    .action(async function (this: Command) {
      const { chain: chainId, vault, data } = this.opts<Options>()
      try {
        const done = await control(await findWorld(data), { chainId, vault }, ...this.args)
        process.stdout.write(`${typeof done === 'string' ? done : 'done'}\n`)
      } catch (error) {
        const isExpected = error instanceof ControlError || error instanceof AddressBookError
        process.stderr.write(`error: ${isExpected ? error.message : String(error)}\n`)
        process.exitCode = 1
      }
    })
}

async function findWorld(data: string): Promise<World> {
  const run = await readRunFile(data)
  if (run === null || run.accounts.length === 0)
    throw new ControlError('No local world runs here. Run npm start first.')
  return { rpcUrls: run.rpcUrls, addressBook: await loadAddressBook(run.addressBook) }
}

function addressOf(text: string): Address {
  if (isAddress(text, { strict: false })) return text
  throw new InvalidArgumentError('expected an address')
}

function priceOf(text: string): string {
  if (/^\d+(\.\d{1,8})?$/.test(text)) return text
  throw new InvalidArgumentError('expected a price in USD with at most 8 decimals')
}

function countOf(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('expected a number of blocks from 1 to 9999')
}
