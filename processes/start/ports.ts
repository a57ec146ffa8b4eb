import { readdir, readFile, readlink } from 'node:fs/promises'
import { createServer } from 'node:net'

/** A port that this start needs, with the variable that changes it. */
export type WantedPort = { port: number; variable: string; host: string }

export class PortTakenError extends Error {
  override name = 'PortTakenError'
}

/** Throws `PortTakenError` with every port that is taken, its variable and, if known, its process. */
export async function assertPortsFree(wanted: WantedPort[]) {
  const lines = await Promise.all(
    wanted.map(async ({ port, variable, host }) => {
      if (await isFree(port, host)) return []
      const holder = await findHolder(port)
      return [`  port ${port} (${variable}) is taken${holder ? ` by ${holder}` : ''}`]
    }),
  )
  const twice = wanted.filter(({ port }, index) =>
    wanted.some((other, before) => before < index && other.port === port),
  )
  const clashes = twice.map(({ port, variable }) => `  port ${port} (${variable}) is needed twice`)
  const problems = [...lines.flat(), ...clashes]
  if (problems.length > 0)
    throw new PortTakenError(
      `Set another port in the variable, or stop the process that uses it:\n${problems.join('\n')}`,
    )
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

/** The listening process, from Linux's /proc; null on other systems and for other users' processes. */
async function findHolder(port: number): Promise<string | null> {
  try {
    const inode = await listeningInode(port)
    if (!inode) return null
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
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
