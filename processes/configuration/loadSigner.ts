import type { Hex, LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { SignerUnavailableError } from '../../domain/error/signerUnavailableError.ts'
import { keeperVariables, loadEnvironment, signerVariables } from '../environment.ts'
import { awsKmsKey } from '../signer/awsKmsKey.ts'
import { gcpKmsKey } from '../signer/gcpKmsKey.ts'
import { kmsAccount } from '../signer/kmsAccount.ts'
import { EnvironmentError } from './environmentError.ts'

/** The account that signs quotes, of QUOTE_SIGNER or QUOTE_SIGNER_PRIVATE_KEY; null if neither is set. Throws `EnvironmentError`. */
export async function loadQuoteSigner(source: NodeJS.ProcessEnv): Promise<LocalAccount | null> {
  const given = loadEnvironment(signerVariables, source)
  const [account = null] = await loadAccounts({
    variable: 'QUOTE_SIGNER',
    kms: listOf(given.QUOTE_SIGNER),
    addresses: listOf(given.QUOTE_SIGNER_ADDRESS),
    privateKeys: listOf(given.QUOTE_SIGNER_PRIVATE_KEY),
    gcpEndpoint: given.GCP_KMS_ENDPOINT,
  })
  return account
}

/**
 * The accounts of the keeper, of SMART_DEPOSIT_KEEPER or SMART_DEPOSIT_KEEPER_PRIVATE_KEY, in the order of their keys; none if
 * neither is set. Throws `EnvironmentError`.
 */
export async function loadKeepers(source: NodeJS.ProcessEnv): Promise<LocalAccount[]> {
  const given = loadEnvironment(keeperVariables, source)
  return loadAccounts({
    variable: 'SMART_DEPOSIT_KEEPER',
    kms: given.SMART_DEPOSIT_KEEPER ?? [],
    addresses: given.SMART_DEPOSIT_KEEPER_ADDRESS ?? [],
    privateKeys: given.SMART_DEPOSIT_KEEPER_PRIVATE_KEY ?? [],
    gcpEndpoint: given.GCP_KMS_ENDPOINT,
  })
}

function listOf<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value]
}

type Given = {
  variable: 'QUOTE_SIGNER' | 'SMART_DEPOSIT_KEEPER'
  kms: string[]
  addresses: string[]
  privateKeys: Hex[]
  gcpEndpoint: string | undefined
}

async function loadAccounts(given: Given): Promise<LocalAccount[]> {
  const { variable, kms, addresses, privateKeys } = given
  const keys = kms.length + privateKeys.length
  const problems = [
    kms.length > 0 && privateKeys.length > 0
      ? `${variable}: is set, and so is ${variable}_PRIVATE_KEY. Set only one of them.`
      : [],
    // An alias can be given to another key: then the stations would refuse every quote.
    kms.length > 0 && addresses.length === 0
      ? `${variable}_ADDRESS: is not set, but ${variable} is. Set the address of that key.`
      : [],
    addresses.length > 0 && keys === 0
      ? `${variable}_ADDRESS: is set, but no key is. Set ${variable} or ${variable}_PRIVATE_KEY, or neither.`
      : [],
    addresses.length > 0 && keys > 0 && addresses.length !== keys
      ? `${variable}_ADDRESS: the number of addresses is ${addresses.length}, that of keys ${keys}. Set the address of each key, in the same order.`
      : [],
  ].flat()
  if (problems.length > 0) throw new EnvironmentError(problems)
  const accounts =
    kms.length > 0
      ? await Promise.all(kms.map((key) => loadKms(key, given)))
      : privateKeys.map((key) => privateKeyToAccount(key))
  const known = new Set<string>()
  for (const [index, { address }] of accounts.entries()) {
    const wanted = addresses[index]
    if (wanted && address.toLowerCase() !== wanted.toLowerCase())
      throw new EnvironmentError([
        `${variable}_ADDRESS: the key that is set has address ${address}, not ${wanted}. Correct the key or the address.`,
      ])
    // Two keepers would use the same nonces.
    if (known.has(address))
      throw new EnvironmentError([
        `${kms.length > 0 ? variable : `${variable}_PRIVATE_KEY`}: two keys have the address ${address}. Set each key once.`,
      ])
    known.add(address)
  }
  return accounts
}

async function loadKms(kms: string, { variable, gcpEndpoint }: Given): Promise<LocalAccount> {
  const [service, key = ''] = splitOnce(kms)
  try {
    return await kmsAccount(
      service === 'aws-kms' ? await awsKmsKey(key) : await gcpKmsKey(key, gcpEndpoint ?? null),
    )
  } catch (error) {
    const cause = error instanceof SignerUnavailableError ? error.message : describe(error)
    throw new EnvironmentError([
      `${variable}: ${cause}. Correct the key, the credentials or the network, or start again later.`,
    ])
  }
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':')
  return [text.slice(0, at), text.slice(at + 1)]
}

/** A client that is not installed, or that finds no region. */
function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
