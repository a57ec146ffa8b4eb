import type { DestinationStream } from 'pino'

/** Takes text at once; SonicBoom, pino's own output, is one. */
type Output = DestinationStream & { flushSync(): void }

type GatherOptions = {
  /** As soon as so many characters wait, they are written. */
  mostCharacters: number
  /** No line waits longer. */
  afterMs: number
}

export type GatheredLines = Output & {
  /** Hands what waits to the output, which writes it when it can. */
  flush(): void
}

/**
 * Gives lines to an output together. SonicBoom gathers too (`minLength`), but measures all that waits again for each line, and
 * so copies it: that was half of the time of a line.
 */
export function gatherLines(
  output: Output,
  { mostCharacters, afterMs }: GatherOptions,
): GatheredLines {
  let lines: string[] = []
  let characters = 0
  let timer: NodeJS.Timeout | null = null

  function flush() {
    if (timer) clearTimeout(timer)
    timer = null
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    characters = 0
    output.write(text)
  }

  return {
    write(line) {
      lines.push(line)
      characters += line.length
      if (characters >= mostCharacters) flush()
      else timer ??= setTimeout(flush, afterMs).unref()
    },
    flush,
    flushSync() {
      flush()
      output.flushSync()
    },
  }
}
