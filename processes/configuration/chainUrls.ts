import { EnvironmentError } from './environmentError.ts'
import { describeMisspelled, findMisspelled } from './misspelled.ts'

export type ChainUrls = { rpcUrls: string[]; wsUrls: string[] }

/**
 * Reads `RPC_URL_<chainId>` and `WS_URL_<chainId>`, comma-separated. Throws `EnvironmentError` if a chain has
 * no RPC URL, or any value is not a URL of its kind.
 */
export function loadChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  const names = chainIds.flatMap((id) => [`RPC_URL_${id}`, `WS_URL_${id}`])
  const misspelled = findMisspelled(names, withoutChainUrls(source, names))
  const missing = chainIds.filter(
    (id) =>
      urlsOf(source[`RPC_URL_${id}`]).length === 0 &&
      !misspelled.some(({ name }) => name === `RPC_URL_${id}`),
  )
  const problems = [
    ...misspelled.map(describeMisspelled),
    ...missing.map((id) => `RPC_URL_${id}: is not set. Set the URL of a node of chain ${id}.`),
    ...badUrls(source),
  ]
  if (problems.length > 0) throw new EnvironmentError(problems)
  return readChainUrls(chainIds, source)
}

/** Like `loadChainUrls`, but a chain may have no URL. */
export function loadGivenChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  const problems = badUrls(source)
  if (problems.length > 0) throw new EnvironmentError(problems)
  return readChainUrls(chainIds, source)
}

/** Throws `EnvironmentError` if any value is not a URL of its kind. */
export async function refuseBadUrls(source: NodeJS.ProcessEnv) {
  loadGivenChainUrls([], source)
}

/** The URL of another chain is no misspelling: processes may share their variables. */
function withoutChainUrls(source: NodeJS.ProcessEnv, names: string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(source).filter(
      ([name, value]) => value && (names.includes(name) || !/^(RPC|WS)_URL_\d+$/.test(name)),
    ),
  )
}

/** Reads what is set, without a check. */
export function readChainUrls(
  chainIds: number[],
  source: NodeJS.ProcessEnv,
): Map<number, ChainUrls> {
  return new Map(
    chainIds.map((id) => [
      id,
      { rpcUrls: urlsOf(source[`RPC_URL_${id}`]), wsUrls: urlsOf(source[`WS_URL_${id}`]) },
    ]),
  )
}

const URL_KINDS = {
  RPC: { protocol: /^https?:$/, name: 'an http or https URL' },
  WS: { protocol: /^wss?:$/, name: 'a ws or wss URL' },
}

/** One line for each wrong URL in any RPC_URL_<chainId> or WS_URL_<chainId>. */
function badUrls(source: NodeJS.ProcessEnv): string[] {
  return Object.entries(source).flatMap(([name, value]) => {
    // Cast, because the pattern takes no other kind.
    const kind = /^(RPC|WS)_URL_\d+$/.exec(name)?.[1] as keyof typeof URL_KINDS | undefined
    if (!kind) return []
    const { protocol, name: expected } = URL_KINDS[kind]
    // A URL may contain a key, so the message only counts.
    return urlsOf(value).flatMap((url, index) =>
      isUrl(url, protocol)
        ? []
        : [`${name}: expected ${expected} without user name and password, URL ${index + 1} is not`],
    )
  })
}

function isUrl(text: string, protocols: RegExp): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password } = new URL(text)
  return protocols.test(protocol) && username === '' && password === ''
}

function urlsOf(value = ''): string[] {
  return value
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean)
}
