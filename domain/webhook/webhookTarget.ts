import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from './publicAddress.ts'
import { resolveByDns } from './resolveByDns.ts'

/** Rules for the URLs of endpoints. */
export type TargetRules = {
  /** Allows http and addresses that are not public: only for local use. */
  allowPrivate: boolean
  /** Every address of a name; by default from DNS, or locally from the system. */
  resolve?: ((hostname: string) => Promise<LookupAddress[]>) | undefined
}

/** A URL that gets no webhooks; the message has the reason, and no address. */
export class WebhookTargetError extends Error {
  override name = 'WebhookTargetError'
}

const MOST_CHARACTERS = 2_048
const HTTPS_PORT = '443'
const FIRST_UNPRIVILEGED_PORT = 1_024

/** The URL in its stored form: normalized, without a fragment. Throws `WebhookTargetError`. */
export function parseTarget(text: string, { allowPrivate }: TargetRules): URL {
  if (text.length > MOST_CHARACTERS || !URL.canParse(text))
    throw new WebhookTargetError(`expected a URL of at most ${MOST_CHARACTERS} characters`)
  // Normalizes: 0x7f.1, 2130706433 and full-width digits become an IP address.
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

/** Ports below 1024 belong to other services. */
function refuseOtherServices({ port }: URL) {
  if (port !== '' && port !== HTTPS_PORT && Number(port) < FIRST_UNPRIVILEGED_PORT)
    throw new WebhookTargetError('expected port 443 or one from 1024 on')
}

/**
 * The addresses of a URL's host. Connect only to these: a second lookup may give others. Throws
 * `WebhookTargetError` if one of them is not public.
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
    // The cause stays hidden: it would describe the operator's resolver.
    throw new WebhookTargetError('its host does not resolve')
  }
}
