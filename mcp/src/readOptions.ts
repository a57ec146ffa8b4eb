import { parseArgs } from 'node:util'

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
`

const LOCAL = ['localhost', '127.0.0.1', '[::1]']

export type Options =
  | { transport: 'help' }
  | { transport: 'stdio'; apiUrl: string; apiKey: string | null }
  | { transport: 'http'; apiUrl: string; host: string; port: number; allowedHosts: string[] }

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
  if (!values.http)
    return { transport: 'stdio', apiUrl, apiKey: environment.CAUSEWAY_API_KEY || null }
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535)
    throw new Error(`--port: expected a port, got ${values.port}`)
  const allowedHosts = [...LOCAL, ...values['allow-host']]
  return { transport: 'http', apiUrl, host: values.host, port, allowedHosts }
}
