import { InvalidArgumentError } from 'commander'
import type { Address } from 'viem'
import {
  type AddressBook,
  AddressBookError,
  type AddressBookFile,
} from '../../domain/addressBook/addressBook.ts'
import { type ChainClients, createChainClients } from '../../domain/chain/chainClients.ts'
import { ServiceError } from '../../domain/error/serviceError.ts'
import { unlessUnavailable } from '../../domain/error/unlessUnavailable.ts'
import { FormerFactoryError } from '../../domain/shieldBook/makeShieldBook.ts'
import { isPayableAddress } from '../../domain/token/addressText.ts'
import { createTokenReader } from '../../domain/token/tokenReader.ts'
import { describeDeployment } from '../../domain/verification/describe/describeDeployment.ts'
import { describeFactory } from '../../domain/verification/describe/describeFactory.ts'
import { DescribeError } from '../../domain/verification/describe/readDeploymentCore.ts'
import type { Finding } from '../../domain/verification/finding.ts'
import { verifyAddressBook } from '../../domain/verification/verifyAddressBook.ts'
import { EnvironmentError } from '../../processes/configuration/environmentError.ts'
import type { CommandProcess } from '../commandProcess.ts'
import { type FoundEnvironment, findEnvironment, NoAddressBookError } from '../findEnvironment.ts'
import { KeyFileError } from '../keyFile.ts'
import { parseChainId } from '../parseChainId.ts'
import { runProgram } from '../runProgram.ts'
import { addSignBookOptions, type SignBookOptions, signBook } from './signBook.ts'
import { readNewestBlocks, STDOUT, StampError, stampBook } from './stampBook.ts'

const READ_TIMEOUT_MS = 10_000
const EXPECTED = [
  AddressBookError,
  EnvironmentError,
  NoAddressBookError,
  DescribeError,
  FormerFactoryError,
  KeyFileError,
  ServiceError,
  StampError,
]

type VaultFile = NonNullable<AddressBookFile['vaults']>[number]
type VerifyOptions = { file?: string; out?: string }
type DescribeOptions = { file?: string; chain?: number; queue?: Address }

/**
 * Runs one command of `npm run address-book`. Returns its exit code: 1 if the answer is negative, or
 * after an error, which it has printed.
 */
export function runAddressBook(
  parameters: string[],
  commandProcess: CommandProcess,
): Promise<number> {
  return runProgram(parameters, commandProcess, {
    name: 'address-book',
    description:
      'Holds an address book against its chains. Uses --file or ADDRESS_BOOK, and RPC_URL_<chainId>, or else the local start in DATA_DIRECTORY.',
    expected: EXPECTED,
    addCommands(program, run, { env, stdout, stderr }) {
      program
        .command('verify')
        .description(
          'everything in which the book and its chains differ, one line each; 1 when there is any. A PRODUCTION book without a difference gets its stamp',
        )
        .option('--file <path>', 'the address book')
        .option('--out <path>', 'where the stamped book goes, - for standard output')
        .action(({ file, out }: VerifyOptions) =>
          run(async () => {
            const lines = out === STDOUT ? stderr : stdout
            const environment = await findEnvironment(env, file)
            const { book, endpoints } = environment
            const blocks = await readNewestBlocks(book, endpoints, READ_TIMEOUT_MS).catch(
              unlessUnavailable,
            )
            const findings = await verifyAddressBook(book, endpoints)
            for (const finding of findings) lines.write(`${formatFinding(finding)}\n`)
            const isSound = findings.every(({ kind }) => kind === 'note')
            const stream = isSound ? lines : stderr
            stream.write(`${summarize(environment, findings)}\n`)
            if (!isSound || (book.environment !== 'PRODUCTION' && out === undefined)) return isSound
            if (!blocks) throw new StampError('No stamp: a chain did not answer. Verify again.')
            const print = (text: string) => void stdout.write(text)
            lines.write(`${await stampBook({ ...environment, blocks, out, print })}\n`)
            return true
          }),
        )

      addSignBookOptions(
        program
          .command('shield-book')
          .description(
            'the book by which clients check what they sign, signed; the account to pin goes to stderr',
          ),
        parseAddress,
      ).action((options: SignBookOptions) =>
        run(async () => {
          const { book } = await findEnvironment(env, options.file)
          const { signed, signer } = await signBook(book, options)
          stdout.write(`${JSON.stringify(signed, null, 2)}\n`)
          stderr.write(`Signed by ${signer}: apps pin this account.\n`)
          return true
        }),
      )

      program
        .command('describe')
        .argument('<contract>', 'the address of a depositor or of a factory', parseAddress)
        .description(
          "the book's entry of a vault, from its depositor, or of a factory of smart deposit addresses; remarks go to stderr",
        )
        .option(
          '--chain <id>',
          'where it is; without it, the only chain where it has code',
          parseChainId,
        )
        .option(
          '--queue <address>',
          'its withdraw queue, if the chain does not show it',
          parseAddress,
        )
        .option('--file <path>', 'the address book, for its chains')
        .action((contract: Address, options: DescribeOptions) =>
          run(async () => {
            const { entry, remarks } = await describeContract(env, contract, options)
            stdout.write(`${JSON.stringify(entry, null, 2)}\n`)
            for (const remark of remarks) stderr.write(`${remark}\n`)
            return true
          }),
        )
    },
  })
}

async function describeContract(
  env: NodeJS.ProcessEnv,
  contract: Address,
  { file, chain, queue }: DescribeOptions,
) {
  const { book, endpoints } = await findEnvironment(env, file)
  const configured = endpoints.filter(({ rpcUrls }) => rpcUrls.length > 0)
  const chains = createChainClients(configured, book, { readTimeoutMs: READ_TIMEOUT_MS })
  const ids = configured.map(({ chainId }) => chainId)
  const chainId = chain ?? (await findChain(chains, ids, contract))
  const found = await describeFactory(chains, { chainId, address: contract })
  if (found) return { entry: found.factory, remarks: found.remarks }
  const { name, deployment, remarks } = await describeDeployment(chains, {
    chainId,
    depositor: contract,
    queue,
  })
  const vault: VaultFile = { name, yieldType: 'CORE', deployments: [deployment] }
  const lacking = await lackingTokens(book, chains, deployment)
  return {
    entry: vault,
    remarks: [
      ...remarks,
      'yieldType is a guess: set the one that the product has.',
      ...lacking.map((token) => `tokens lacks one: add ${JSON.stringify(token)}`),
    ],
  }
}

function formatFinding({ kind, place, message }: Finding): string {
  return kind === 'note' ? `note: ${place}: ${message}` : `${place}: ${message}`
}

function summarize({ book, path, localChainIds }: FoundEnvironment, findings: Finding[]): string {
  const count = (kind: Finding['kind']) =>
    findings.filter((finding) => finding.kind === kind).length
  const deployments = book.vaults.flatMap((vault) => vault.deployments).length
  const checked = `${book.chains.length} chains, ${book.tokens.length} tokens, ${book.transitRoutes.length} routes, ${deployments} vault deployments`
  const local = localChainIds.length > 0 ? `; nodes of the local start: ${localChainIds}` : ''
  const [contradictions, open] = [count('contradiction'), count('unverified')]
  const verdict =
    contradictions + open === 0
      ? 'no contradiction'
      : `${contradictions} ${contradictions === 1 ? 'contradiction' : 'contradictions'}, ${open} not verified`
  return `${path}: ${verdict} (${checked}${local})`
}

async function findChain(chains: ChainClients, ids: number[], address: Address): Promise<number> {
  const codes = await Promise.all(
    ids.map((id) => chains.read(id, (client) => client.getCode({ address }))),
  )
  const found = ids.filter((_, index) => codes[index] !== undefined)
  const [only] = found
  if (only === undefined)
    throw new DescribeError(`${address} has no code on any configured chain (${ids.join(', ')})`)
  if (found.length > 1)
    throw new DescribeError(`${address} has code on chains ${found.join(', ')}: give --chain`)
  return only
}

/** The tokens that the deployment uses and the book lacks, in the form of its entries. */
async function lackingTokens(
  book: AddressBook,
  chains: ChainClients,
  { chainId, baseToken, baseTokenStandIn, assets }: VaultFile['deployments'][number],
) {
  const tokens = createTokenReader(book, chains)
  const named = [...(baseTokenStandIn ? [] : [baseToken]), ...assets.map(({ address }) => address)]
  const lacking = [...new Set(named as Address[])].filter(
    (address) => !tokens.listed(chainId, address),
  )
  return Promise.all(
    lacking.map(async (address) => {
      const { name, symbol, decimals } = await tokens.get(chainId, address)
      return { chainId, address, name, symbol, decimals }
    }),
  )
}

function parseAddress(text: string): Address {
  if (!isPayableAddress(text))
    throw new InvalidArgumentError('expected an address, in one case or with the right checksum')
  return text.toLowerCase() as Address
}
