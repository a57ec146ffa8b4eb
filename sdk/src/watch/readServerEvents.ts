/** An event of `text/event-stream`, as far as GraphQL uses them. The event of a comment is empty. */
export type ServerEvent = { event: string; data: string }

const IDLE = Symbol('idle')

/**
 * The events of a response's body. A server that says nothing for `idleMs`, not even a comment, has been lost: the
 * events end. Closing the iteration closes the connection.
 */
export async function* readServerEvents(
  body: ReadableStream<Uint8Array>,
  idleMs: number,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const chunk = await unlessIdle(reader.read(), idleMs)
      if (chunk === IDLE || chunk.done) return
      const blocks = (rest + decoder.decode(chunk.value, { stream: true })).split(/\r?\n\r?\n/)
      rest = blocks.pop() ?? ''
      for (const block of blocks) yield parseBlock(block)
    }
  } finally {
    // A connection that was lost or aborted cannot be cancelled either.
    await reader.cancel().catch(() => {})
  }
}

async function unlessIdle<T>(reading: Promise<T>, idleMs: number): Promise<T | typeof IDLE> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const idle = new Promise<typeof IDLE>((resolve) => {
    timer = setTimeout(() => resolve(IDLE), idleMs)
  })
  try {
    return await Promise.race([reading, idle])
  } finally {
    clearTimeout(timer)
    // It rejects when the reader is cancelled after an idle time.
    reading.catch(() => {})
  }
}

function parseBlock(block: string): ServerEvent {
  const lines = block.split(/\r?\n/)
  const valuesOf = (field: string) =>
    lines
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).replace(/^ /, ''))
  const [event = ''] = valuesOf('event')
  return { event, data: valuesOf('data').join('\n') }
}
