import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { EnvironmentError } from './environmentError.ts'

const FETCH_MS = 1_000

/** A port that a process listens at, with the variables that change it. */
export type WantedPort = {
  port: number
  variable: string
  host: string
  hostVariable?: string
  /** Whether parts of the product call it with `fetch`. */
  isFetched?: boolean
}

type Given<Port extends string, Host extends string> = {
  [Name in Port]?: number | undefined
} & { [Name in Host]?: string | undefined }

/** The port of one variable at the host of another. None if one of them is not set, or is wrong. */
export function wantedPort<Port extends string, Host extends string>(
  given: Given<NoInfer<Port>, NoInfer<Host>>,
  variable: Port,
  hostVariable: Host,
): WantedPort[] {
  const port: number | undefined = given[variable]
  const host: string | undefined = given[hostVariable]
  return port === undefined || host === undefined ? [] : [{ port, host, variable, hostVariable }]
}

/** Throws `EnvironmentError` with every port that is taken or wanted twice, and every host of another machine. */
export async function assertPortsFree(wanted: WantedPort[]) {
  // Two attempts to listen at one port would take it from each other.
  const different = wanted.filter((_, index) => !clash(wanted, index))
  const problems = (await Promise.all(different.map(problemOf))).flat()
  if (problems.length + clashes(wanted).length > 0)
    throw new EnvironmentError([...clashes(wanted), ...problems])
}

/** Throws `EnvironmentError` for every port that two variables name. */
export async function assertPortsDiffer(wanted: WantedPort[]) {
  if (clashes(wanted).length > 0) throw new EnvironmentError(clashes(wanted))
}

/** Throws `EnvironmentError` for every port that `fetch` does not call, whatever listens there. */
export async function assertPortsFetchable(wanted: WantedPort[]) {
  const refused = await Promise.all(
    wanted.map(async (one) => (one.isFetched && (await isBadPort(one.port)) ? [one] : [])),
  )
  const problems = refused
    .flat()
    .map(
      (one) =>
        `${describePort(one)} is refused by browsers and by Node. Set another port, as in 4000.`,
    )
  if (problems.length > 0) throw new EnvironmentError(problems)
}

/**
 * Whether `fetch` refuses the port. Node does not export its list of them, so `fetch` is asked. The address is one to which no
 * system connects, so nothing is sent.
 */
async function isBadPort(port: number): Promise<boolean> {
  const signal = AbortSignal.timeout(FETCH_MS)
  const error = await fetch(`http://255.255.255.255:${port}`, { signal }).catch(
    (thrown: Error) => thrown,
  )
  return (
    error instanceof Error && error.cause instanceof Error && error.cause.message === 'bad port'
  )
}

function clashes(wanted: WantedPort[]): string[] {
  return wanted.flatMap((one, index) => {
    const other = clash(wanted, index)
    return other ? [`${describePort(one)} is that of ${other.variable} too. Set another one.`] : []
  })
}

const EVERY_ADDRESS = ['0.0.0.0', '::']

/** An earlier one that wants the same port. */
function clash(wanted: WantedPort[], index: number): WantedPort | undefined {
  const one = wanted[index]
  return one && wanted.slice(0, index).find((other) => isSame(other, one))
}

function isSame(a: WantedPort, b: WantedPort): boolean {
  const isOneHost =
    a.host === b.host || [a.host, b.host].some((host) => EVERY_ADDRESS.includes(host))
  return a.port === b.port && isOneHost
}

function describePort({ port, variable }: WantedPort): string {
  const [name] = variable.split(' ')
  return `${name}: port ${port}${name === variable ? '' : ` (${variable})`}`
}

async function problemOf(wanted: WantedPort): Promise<string[]> {
  const { port, host, hostVariable = 'host' } = wanted
  const code = await listen(port, host)
  switch (code) {
    case null:
      return []
    case 'EADDRINUSE': {
      const holder = await findHolder(port)
      return [
        `${describePort(wanted)} is taken${holder ? ` by ${holder}` : ''}. Stop that process, or set another port.`,
      ]
    }
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return [
        `${hostVariable}: this machine has no address ${host}. Set 127.0.0.1, or 0.0.0.0 for all.`,
      ]
    default:
      return [`${describePort(wanted)} cannot be used (${code}). Set another port, as in 4000.`]
  }
}

/** Null if a server can listen there, else the code of the error. */
function listen(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(null)))
  })
}

/** The listening process, from Linux's /proc; null on other systems and for other users' processes. */
async function findHolder(port: number): Promise<string | null> {
  try {
    const inode = await listeningInode(port)
    if (!inode) return null
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
      // Other users' processes do not show their descriptors, and a process may end meanwhile.
      const descriptors = await readdir(`/proc/${pid}/fd`).catch(() => [])
      for (const descriptor of descriptors) {
        const target = await readlink(`/proc/${pid}/fd/${descriptor}`).catch(() => '')
        if (target !== `socket:[${inode}]`) continue
        const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8'))
          .replaceAll('\0', ' ')
          .trim()
        return `process ${pid} (${command.slice(0, 80)})`
      }
    }
    return null
  } catch {
    return null // Without /proc the message does not name the process.
  }
}

async function listeningInode(port: number): Promise<string | null> {
  // A machine without IPv6 lacks the second table.
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0')
  const listening = '0A'
  for (const line of tables.join('\n').split('\n')) {
    const columns = line.trim().split(/\s+/)
    if (columns[1]?.endsWith(`:${hexPort}`) && columns[3] === listening) return columns[9] ?? null
  }
  return null
}
