import { fork } from 'node:child_process'
import { once } from 'node:events'

/**
 * Starts a server of the comparison as its own process, which sends its port. Resolves to the port; the process ends
 * with the stack.
 */
export async function startServer(
  stack: AsyncDisposableStack,
  file: string,
  variables: Record<string, string>,
): Promise<number> {
  const child = fork(new URL(file, import.meta.url), {
    env: { PATH: process.env.PATH, NODE_ENV: 'production', ...variables },
  })
  stack.defer(() => {
    if (child.connected) child.disconnect()
  })
  const [port] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => {
      throw new Error(`${file} ended before it listened`)
    }),
  ])) as [number]
  return port
}
