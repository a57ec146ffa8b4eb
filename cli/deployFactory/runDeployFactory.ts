import { writeFile } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { type Address, BaseError, isAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { AddressBookError, loadAddressBook } from '../../domain/addressBook/addressBook.ts'
import { loadChainUrls } from '../../processes/configuration/chainUrls.ts'
import { EnvironmentError } from '../../processes/configuration/environmentError.ts'
import type { CommandProcess } from '../commandProcess.ts'
import { KeyFileError, readKeyFile } from '../keyFile.ts'
import { parseChainId } from '../parseChainId.ts'
import { runProgram } from '../runProgram.ts'
import { DeploymentError, deployOnChain } from './deployOnChain.ts'
import { type FactoryPlan, planFactory } from './factoryPlan.ts'
import { makeProposals } from './proposals.ts'
import { type FactorySettings, readSettings, SettingsError } from './settings.ts'

type Options = {
  settings: string
  chain: number[]
  execute: boolean
  keyFile?: string
  proposals?: string
  file?: string
  keeper?: Address[]
}

/**
 * Runs `npm run deploy-factory`. Returns its exit code: 1 if a chain has not got what was planned, or after an error,
 * which it has printed.
 */
export function runDeployFactory(
  parameters: string[],
  commandProcess: CommandProcess,
): Promise<number> {
  return runProgram(parameters, commandProcess, {
    name: 'deploy-factory',
    description:
      'Creates the factory of smart deposit addresses, and its timelock, at the same addresses on every chain, and verifies them. A dry run without --execute. Uses RPC_URL_<chainId>.',
    expected: [SettingsError, KeyFileError, EnvironmentError, AddressBookError],
    addCommands(program, run, { env, stdout, stderr }) {
      program
        .requiredOption('--settings <path>', 'what the addresses depend on')
        .requiredOption('--chain <id>', 'a chain; give each', collectChain)
        .option('--execute', 'sends the transactions', false)
        .option('--key-file <path>', 'with --execute: the private key that pays the gas')
        .option(
          '--proposals <path>',
          "writes what the operator sends to the timelock, with the address book's vaults and endpoint ids",
        )
        .option('--file <path>', 'with --proposals: the address book')
        .option('--keeper <address>', 'with --proposals: a keeper; give each', collectAddress)
        .action((options: Options) =>
          run(async () => {
            const settings = await readSettings(options.settings)
            const plan = await planFactory(settings)
            const account = await payerOf(options)
            const urls = loadChainUrls(options.chain, env)
            stdout.write(`timelock        ${plan.timelock.address}\n`)
            stdout.write(`factory         ${plan.factory.address}\n`)
            stdout.write(`implementation  ${plan.implementation.address}\n`)
            const proposals = await writeProposals(options, settings, plan)
            if (proposals) stdout.write(`${proposals}\n`)
            let isDone = true
            for (const chainId of options.chain) {
              const [url = ''] = urls.get(chainId)?.rpcUrls ?? []
              const target = { chainId, url, plan, settings, ...(account && { account }) }
              try {
                for (const line of await deployOnChain(target))
                  stdout.write(`chain ${chainId}: ${line}\n`)
              } catch (error) {
                // The other chains go on: each is complete alone.
                isDone = false
                stderr.write(`chain ${chainId}: ${messageOf(error)}\n`)
              }
            }
            return isDone
          }),
        )
    },
  })
}

async function payerOf({ execute, keyFile }: Options) {
  if (!execute) return undefined
  if (!keyFile) throw new KeyFileError('--execute needs --key-file')
  return privateKeyToAccount(await readKeyFile(keyFile))
}

async function writeProposals(
  { proposals: path, file, keeper: keepers = [], chain: chainIds }: Options,
  settings: FactorySettings,
  plan: FactoryPlan,
): Promise<string | null> {
  if (!path) return null
  if (!file || keepers.length === 0)
    throw new SettingsError('--proposals needs --file and at least one --keeper')
  const book = await loadAddressBook(file)
  const proposals = makeProposals({ book, plan, settings, keepers, chainIds })
  await writeFile(path, `${JSON.stringify(proposals, null, 2)}\n`)
  return `${path}: for the operator to send to the timelock`
}

/** Without viem's details: they have the URL of the node. */
function messageOf(error: unknown): string {
  if (error instanceof DeploymentError) return error.message
  return error instanceof BaseError ? error.shortMessage : String(error)
}

function collectAddress(text: string, before: Address[] = []): Address[] {
  if (!isAddress(text)) throw new InvalidArgumentError('expected an address')
  return [...before, text]
}

function collectChain(text: string, before: number[] = []): number[] {
  return [...before, parseChainId(text)]
}
