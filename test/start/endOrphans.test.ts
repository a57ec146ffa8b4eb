import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { assertPortsFree } from '../../processes/configuration/ports.ts'
import { endOrphans } from '../../processes/start/endOrphans.ts'
import { freePorts } from '../support/freePorts.ts'

/** Memory that the system takes back before it closes the port. */
const MEGABYTES = 1_000
const SCRIPT = `
  const memory = Buffer.alloc(${MEGABYTES} * 1024 ** 2, 1)
  require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1', () => console.log(memory.length))`

test('behavior: the ports of what was left are free', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'causeway-orphans-'))
  onTestFinished(() => rm(dataDirectory, { recursive: true }))
  const [port = 0] = await freePorts(1)
  const orphan = spawn(
    process.execPath,
    ['-e', SCRIPT, '--', String(port), 'anvil', join(dataDirectory, 'chains', '1')],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(orphan, 'exit')
  await once(orphan.stdout, 'data')

  await endOrphans(dataDirectory)
  await assertPortsFree([{ port, host: '127.0.0.1', variable: 'API_PORT' }])
  expect(await ended).toEqual([null, 'SIGKILL'])
})
