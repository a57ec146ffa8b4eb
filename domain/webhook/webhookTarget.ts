import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from './publicAddress.ts'
import { resolveByDns } from './resolveByDns.ts'

/** Where webhooks may go. */
export type TargetRules = {
  /** Also http, and addresses that are not public: for local use only. */
  allowPrivate: boolean
  /** Every address of a name; where none is given DNS says, or locally the system. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>
}

/** A URL that webhooks are not sent to; its message says why, and names no address. */
export class WebhookTargetError extends Error {
  override name = 'WebhookTargetError'
}

const MOST_CHARACTERS = 2_048
const HTTPS_PORT = '443'
const FIRST_UNPRIVILEGED_PORT = 1_024

/** The URL as it is stored: normalized, without a fragment. Throws `WebhookTargetError`. */
export function parseTarget(text: string, { allowPrivate }: TargetRules): URL {
  if (text.length > MOST_CHARACTERS || !URL.canParse(text))
    throw new WebhookTargetError(`expected a URL of at most ${MOST_CHARACTERS} characters`)
  // What it stands for: 0x7f.1, 2130706433 and full-width digits are an IP address from here on.
  const url = new URL(text)
  url.hash = ''
  if (url.href.length > MOST_CHARACTERS)
    throw new WebhookTargetError(`expected a URL of at most ${MOST_CHARACTERS} characters`)
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    throw new WebhookTargetError('expected an https URL')
  if (url.username !== '' || url.password !== '')
    throw new WebhookTargetError('expected a URL without user and password')
  if (!allowPrivate) refuseOtherServices(url)
  return url
}

/** Ports below 1024 belong to services that are not for webhooks. */
function refuseOtherServices({ port }: URL) {
  if (port !== '' && port !== HTTPS_PORT && Number(port) < FIRST_UNPRIVILEGED_PORT)
    throw new WebhookTargetError('expected port 443 or one from 1024 on')
}

/**
 * The addresses of a URL's host, to be connected to and no others: whoever asks again may be told
 * another one. Throws `WebhookTargetError` where one of them is not public.
 */
export async function resolveTarget(url: URL, rules: TargetRules): Promise<LookupAddress[]> {
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const family = isIP(hostname)
  const addresses =
    family === 0 ? await resolveName(hostname, rules) : [{ address: hostname, family }]
  if (addresses.length === 0) throw new WebhookTargetError('its host has no address')
  if (!rules.allowPrivate && !addresses.every(({ address }) => isPublicAddress(address)))
    throw new WebhookTargetError('its host has an address that is not public')
  return addresses
}

const lookupAll = (hostname: string) => lookup(hostname, { all: true })

async function resolveName(hostname: string, { allowPrivate, resolve }: TargetRules) {
  try {
    return await (resolve ?? (allowPrivate ? lookupAll : resolveByDns))(hostname)
  } catch {
    // Why is between the operator and their resolver.
    throw new WebhookTargetError('its host does not resolve')
  }
}
