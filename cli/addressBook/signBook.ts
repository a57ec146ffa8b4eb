import { type Command, InvalidArgumentError } from 'commander'
import type { Address } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { AddressBook } from '../../domain/addressBook/addressBook.ts'
import {
  DEFAULT_MAX_DEADLINE_SECONDS,
  makeShieldBook,
  signShieldBook,
} from '../../domain/shieldBook/makeShieldBook.ts'
import { readKeyFile } from '../keyFile.ts'

/** The options of `address-book shield-book`. */
export type SignBookOptions = {
  file?: string
  keyFile: string
  quoteSigner: Address[]
  formerFactory?: FormerFactory[]
  days: number
  maxDeadlineSeconds: number
}

type FormerFactory = { chainId: number; factory: Address; implementation: Address }

const DAY_SECONDS = 86_400

export function addSignBookOptions(
  command: Command,
  parseAddress: (text: string) => Address,
): Command {
  const collect =
    <Item>(parse: (text: string) => Item) =>
    (text: string, before: Item[] = []) => [...before, parse(text)]
  return command
    .option('--file <path>', 'the address book')
    .requiredOption('--key-file <path>', "the operator's private key, 0x and 64 hex characters")
    .requiredOption(
      '--quote-signer <address>',
      'an account that may sign quotes; give both while the key is changed',
      collect(parseAddress),
    )
    .option(
      '--former-factory <chain:factory:implementation>',
      'a former factory of smart deposit addresses',
      collect(parseFactory(parseAddress)),
    )
    .option('--days <number>', 'for how long the book holds', parseCount, 90)
    .option(
      '--max-deadline-seconds <number>',
      'the latest deadline of a quote or a permit: above QUOTE_TTL_SECONDS and PERMIT_TTL_SECONDS',
      parseCount,
      DEFAULT_MAX_DEADLINE_SECONDS,
    )
}

/** Makes the shield book of an address book, and signs it. Throws `KeyFileError` and `FormerFactoryError`. */
export async function signBook(book: AddressBook, options: SignBookOptions) {
  const account = privateKeyToAccount(await readKeyFile(options.keyFile))
  const issuedAt = Math.floor(Date.now() / 1_000)
  const made = makeShieldBook(book, {
    issuedAt,
    expiresAt: issuedAt + options.days * DAY_SECONDS,
    maxDeadlineSeconds: options.maxDeadlineSeconds,
    quoteSigners: options.quoteSigner,
    formerFactories: options.formerFactory ?? [],
  })
  return { signed: await signShieldBook(made, account), signer: account.address }
}

function parseFactory(parseAddress: (text: string) => Address) {
  return (text: string): FormerFactory => {
    const [chainId = '', factory = '', implementation = ''] = text.split(':')
    return {
      chainId: parseCount(chainId),
      factory: parseAddress(factory),
      implementation: parseAddress(implementation),
    }
  }
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,9}$/.test(text)) throw new InvalidArgumentError('expected a number above 0')
  return Number(text)
}
