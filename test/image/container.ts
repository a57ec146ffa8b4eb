import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { BuiltImage } from './buildImage.ts'

/** The folder in a container with the files that it is given. */
export const GIVEN = '/mnt'

type ContainerOptions = { variables?: Record<string, string>; given: string }

export type Container = {
  output(): string
  /** Its exit code, when it has ended. */
  ended: Promise<number | null>
  /** The image's health check, as an engine runs it. Resolves with its exit code. */
  health(): Promise<number>
  stop(): Promise<number | null>
}

/** Does the same as an engine: namespaces of its own, the image's files read-only, the image's user without capabilities. */
const START = `
  root=$1 given=$2 user=$3 folder=$4; shift 4
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --bind "$given" "$root${GIVEN}"
  mount -o remount,bind,ro "$root${GIVEN}"
  exec chroot --userspec="$user" --groups="\${user#*:}" "$root" env -i -C "$folder" "$@"`

/** Runs the image's entry with these arguments, as the process 1 of a container on the network of this machine. */
export function startContainer(
  { root, config }: BuiltImage,
  args: string[],
  { variables = {}, given }: ContainerOptions,
): Container {
  const environment = [...config.Env, ...pairs(variables)]
  const child = spawn(
    'unshare',
    [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-ec',
      START,
      'container',
      root,
      given,
      config.User,
      config.WorkingDir,
      ...environment,
      ...(config.Entrypoint ?? []),
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += String(data)
    })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    output: () => output,
    ended,
    async health() {
      const [, ...check] = config.Healthcheck?.Test ?? []
      const [user = '', group = ''] = config.User.split(':')
      const options = ['--mount', '--pid', '--root', '--wd', '--setuid', user, '--setgid', group]
      const entered = ['--target', String(await firstProcess(child)), ...options]
      return promisify(execFile)('nsenter', [
        ...entered,
        'env',
        '-i',
        ...environment,
        ...check,
      ]).then(
        () => 0,
        ({ code }: { code: number }) => code,
      )
    },
    async stop() {
      if (child.exitCode === null) process.kill(await firstProcess(child), 'SIGTERM')
      return ended
    },
  }
}

/** Runs a command of the image to its end. */
export async function runContainer(image: BuiltImage, args: string[], options: ContainerOptions) {
  const container = startContainer(image, args, options)
  return { code: await container.ended, output: container.output() }
}

function pairs(variables: Record<string, string>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`)
}

/** The number on this machine of a container's process 1. */
async function firstProcess({ pid }: ChildProcess): Promise<number> {
  for (;;) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
    const [first] = children.split(' ').filter(Boolean)
    if (first) return Number(first)
    await sleep(10)
  }
}
