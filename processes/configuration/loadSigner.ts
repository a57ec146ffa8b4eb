import type { LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { SignerUnavailableError } from '../../domain/error/signerUnavailableError.ts'
import { keeperVariables, loadEnvironment, signerVariables } from '../environment.ts'
import { awsKmsKey } from '../signer/awsKmsKey.ts'
import { gcpKmsKey } from '../signer/gcpKmsKey.ts'
import { kmsAccount } from '../signer/kmsAccount.ts'
import { EnvironmentError } from './environmentError.ts'

/** The account that signs quotes, of QUOTE_SIGNER or QUOTE_SIGNER_PRIVATE_KEY; null if neither is set. Throws `EnvironmentError`. */
export async function loadQuoteSigner(source: NodeJS.ProcessEnv): Promise<LocalAccount | null> {
  const { QUOTE_SIGNER, QUOTE_SIGNER_ADDRESS, QUOTE_SIGNER_PRIVATE_KEY, GCP_KMS_ENDPOINT } =
    loadEnvironment(signerVariables, source)
  return loadAccount({
    variable: 'QUOTE_SIGNER',
    kms: QUOTE_SIGNER,
    address: QUOTE_SIGNER_ADDRESS,
    privateKey: QUOTE_SIGNER_PRIVATE_KEY,
    gcpEndpoint: GCP_KMS_ENDPOINT,
  })
}

/** Like `loadQuoteSigner`, for the keeper's account: SMART_DEPOSIT_KEEPER or SMART_DEPOSIT_KEEPER_PRIVATE_KEY. */
export async function loadKeeper(source: NodeJS.ProcessEnv): Promise<LocalAccount | null> {
  const given = loadEnvironment(keeperVariables, source)
  return loadAccount({
    variable: 'SMART_DEPOSIT_KEEPER',
    kms: given.SMART_DEPOSIT_KEEPER,
    address: given.SMART_DEPOSIT_KEEPER_ADDRESS,
    privateKey: given.SMART_DEPOSIT_KEEPER_PRIVATE_KEY,
    gcpEndpoint: given.GCP_KMS_ENDPOINT,
  })
}

type Given = {
  variable: 'QUOTE_SIGNER' | 'SMART_DEPOSIT_KEEPER'
  kms: string | undefined
  address: string | undefined
  privateKey: `0x${string}` | undefined
  gcpEndpoint: string | undefined
}

async function loadAccount(given: Given): Promise<LocalAccount | null> {
  const { variable, kms, address, privateKey } = given
  const problems = [
    kms && privateKey
      ? `${variable}: is set, and so is ${variable}_PRIVATE_KEY. Set only one of them.`
      : [],
    // An alias can be given to another key: then the stations would refuse every quote.
    kms && !address
      ? `${variable}_ADDRESS: is not set, but ${variable} is. Set the address of that key.`
      : [],
    address && !kms && !privateKey
      ? `${variable}_ADDRESS: is set, but no key is. Set ${variable} or ${variable}_PRIVATE_KEY, or neither.`
      : [],
  ].flat()
  if (problems.length > 0) throw new EnvironmentError(problems)
  const account = kms ? await loadKms(kms, given) : privateKey && privateKeyToAccount(privateKey)
  if (!account) return null
  if (address && account.address.toLowerCase() !== address.toLowerCase())
    throw new EnvironmentError([
      `${variable}_ADDRESS: the key that is set has address ${account.address}, not ${address}. Correct the key or the address.`,
    ])
  return account
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
