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

toggle(['blacklist', 'unblacklist'], "USDC's blacklist", setBlacklisted)
toggle(['sanction', 'unsanction'], "the sanctions oracle's list", setSanctioned)
toggle(['freeze', 'unfreeze'], "the vault's list of frozen accounts", setFrozen)
vaultToggle(['pause', 'unpause'], "the vault's teller", setPaused)
vaultToggle(['close-cap', 'open-cap'], "the vault's supply cap", setCapClosed)
for (const [name, description, isClosed] of [
  ['close-asset', 'stop deposits of a token, such as USDC, into the vault', true],
  ['open-asset', 'allow deposits of a token, such as USDC, into the vault', false],
] as const)
  command(`${name} <token>`, description).action((token: string, options: Options) =>
    act(options, (world, at) =>
      setAssetClosed(world, { ...at, vault: options.vault, token }, isClosed),
    ),
  )
for (const [name, description, isBroke] of [
  ['drain-keeper', 'set the balance of the keeper to 0, so that it cannot pay for gas', true],
  ['fill-keeper', 'give the keeper enough coins for gas', false],
] as const)
  command(name, description).action((options: Options) =>
    act(options, (world, at) => setKeeperBroke(world, at, isBroke)),
  )
command(
  'pay <units> <token> <account>',
  'send whole units of a token from the first user to an account',
).action((units: string, token: string, account: string, options: Options) =>
  act(options, (world, at) =>
    payAccount(world, { ...at, units, token, account: addressOf(account) }),
  ),
)
command('depeg <usd>', 'set the price of the dollar tokens of the chain, such as 0.97').action(
  (usd: string, options: Options) =>
    act(options, (world, at) => setDollarPrice(world, at, priceOf(usd))),
)
command('repeg', 'set the price of the dollar tokens of the chain to 1 USD again').action(
  (options: Options) => act(options, (world, at) => setDollarPrice(world, at, null)),
)
command('reorg <blocks>', 'replace the newest blocks of the chain by empty ones').action(
  (blocks: string, options: Options) =>
    act(options, (world, at) => reorganiseChain(world, at, countOf(blocks))),
)
command('mine <blocks>', 'add empty blocks to the chain, as for finality').action(
  (blocks: string, options: Options) =>
    act(options, (world, at) => mineBlocks(world, at, countOf(blocks))),
)

await program.parseAsync()

type Given = { chainId: number; account: Address; vault: string }

/** Two commands with an account: the first puts it on a list, the second takes it off. */
function toggle(
  names: [on: string, off: string],
  list: string,
  set: (world: World, given: Given, isOn: boolean) => Promise<unknown>,
) {
  for (const [index, name] of names.entries())
    command(
      `${name} <account>`,
      `${index === 0 ? 'put an account on' : 'take an account off'} ${list}`,
    ).action((account: string, options: Options) =>
      act(options, (world, { chainId }) =>
        set(world, { chainId, vault: options.vault, account: addressOf(account) }, index === 0),
      ),
    )
}

function vaultToggle(
  names: [on: string, off: string],
  what: string,
  set: (world: World, given: { chainId: number; vault: string }, isOn: boolean) => Promise<unknown>,
) {
  for (const [index, name] of names.entries())
    command(name, `${name.split('-')[0]} ${what}`).action((options: Options) =>
      act(options, (world, at) => set(world, { ...at, vault: options.vault }, index === 0)),
    )
}

function command(name: string, description: string) {
  return program
    .command(name)
    .description(description)
    .option('--chain <id>', 'chain id', Number, 1)
    .option('--vault <name>', 'name of the vault', 'Harbor Prime')
    .option('--data <folder>', 'data directory of npm start', findDataDirectory(process.env))
}

async function act(
  { chain: chainId, data }: Options,
  control: (world: World, at: { chainId: number }) => Promise<unknown>,
) {
  try {
    const done = await control(await findWorld(data), { chainId })
    process.stdout.write(`${typeof done === 'string' ? done : 'done'}\n`)
  } catch (error) {
    const isExpected = error instanceof ControlError || error instanceof AddressBookError
    process.stderr.write(`error: ${isExpected ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
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
