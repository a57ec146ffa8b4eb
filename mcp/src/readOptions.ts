import { parseArgs } from 'node:util'
import type { Address } from 'viem'
import type { ShieldOptions } from './shield/openShield.ts'

export const HELP = `Usage: causeway-mcp [--http] [--host HOST] [--port PORT] [--allow-host NAME]...

Serves the reads and the preparing calls of a Causeway API as MCP tools. Without --http it talks over stdin and stdout.

  --http             serve streamable HTTP at /mcp. Callers send their own API key in the header x-api-key
  --host HOST        the address to listen on (default 127.0.0.1)
  --port PORT        the port to listen on (default 4010; 0 takes a free one)
  --allow-host NAME  a name by which clients reach this server, beside localhost; may be repeated
  --help             show this text

Environment:
  CAUSEWAY_URL       the API (default http://127.0.0.1:4000)
  CAUSEWAY_API_KEY   the API key, only without --http. Transit needs none
  SHIELD_BOOK        the operator's signed shield book, as a path or as JSON. By it each prepared call is checked
  SHIELD_SIGNER      the operator's account that signs the book; two while it is changed, separated by a comma
  SHIELD_ENVIRONMENT the environment of the book (default PRODUCTION)
  SHIELD_RPC_URL_1   your own node of chain 1, which is asked for the rates of vaults; so for each chain
`

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** The API, and the book by which prepared calls are checked; null if they are not. */
type Source = { apiUrl: string; shield: ShieldOptions | null }

export type Options =
  | { transport: 'help' }
  | (Source & { transport: 'stdio'; apiKey: string | null })
  | (Source & { transport: 'http'; host: string; port: number; allowedHosts: string[] })

/** Reads the command line and the environment. Throws for an argument that it does not know. */
export function readOptions(args: string[], environment: NodeJS.ProcessEnv): Options {
  const { values } = parseArgs({
    args,
    options: {
      http: { type: 'boolean', default: false },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '4010' },
      'allow-host': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return { transport: 'help' }
  const apiUrl = (environment.CAUSEWAY_URL || 'http://127.0.0.1:4000').replace(/\/+$/, '')
  const source = { apiUrl, shield: shieldOf(environment) }
  if (!values.http)
    return { ...source, transport: 'stdio', apiKey: environment.CAUSEWAY_API_KEY || null }
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new Error(`--port: expected a port, got ${values.port}`)
  const allowedHosts = [...LOCAL, ...values['allow-host']]
  return { ...source, transport: 'http', host: values.host, port, allowedHosts }
}

const NODE = /^SHIELD_RPC_URL_(\d+)$/

/** Throws for a book without its signer, because the signature is what counts, and for a signer without a book. */
function shieldOf(environment: NodeJS.ProcessEnv): ShieldOptions | null {
  const { SHIELD_BOOK: book, SHIELD_SIGNER: signer = '' } = environment
  if (!book && signer)
    throw new Error(
      'SHIELD_BOOK: expected the book of SHIELD_SIGNER. Unset both to serve calls that nothing checks',
    )
  if (!book) return null
  const signers = signer.split(',').map((one) => one.trim())
  if (!signers.every(isAccount))
    throw new Error(`SHIELD_SIGNER: expected the account that signs the book, got "${signer}"`)
  const rpcUrls = Object.entries(environment).flatMap(([name, url]) => {
    const [, chainId] = NODE.exec(name) ?? []
    return chainId && url ? [[Number(chainId), url] as const] : []
  })
  return {
    book,
    signers,
    environment: environment.SHIELD_ENVIRONMENT || 'PRODUCTION',
    rpcUrls: new Map(rpcUrls),
  }
}

function isAccount(text: string): text is Address {
  return /^0x[0-9a-fA-F]{40}$/.test(text)
}
