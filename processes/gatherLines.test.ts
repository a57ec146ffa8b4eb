import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { gatherLines } from './gatherLines.ts'

describe('gatherLines', () => {
  let written: string[]
  const open = () =>
    gatherLines(
      {
        write: (text) => void written.push(text),
        flushSync: () => void written.push('flushed'),
      },
      { mostCharacters: 10, afterMs: 50 },
    )
  beforeEach(() => {
    written = []
    vi.useFakeTimers()
  })
  afterEach(() => void vi.useRealTimers())

  test('default: lines are written together, after a time', () => {
    const lines = open()
    lines.write('one\n')
    lines.write('two\n')
    vi.advanceTimersByTime(49)
    expect(written).toEqual([])
    vi.advanceTimersByTime(1)
    expect(written).toEqual(['one\ntwo\n'])
    vi.advanceTimersByTime(1_000)
    expect(written).toHaveLength(1)
  })

  test('behavior: as soon as many characters wait', () => {
    const lines = open()
    lines.write('one\n')
    lines.write('and more\n')
    expect(written).toEqual(['one\nand more\n'])
    lines.write('next\n')
    vi.advanceTimersByTime(50)
    expect(written).toEqual(['one\nand more\n', 'next\n'])
  })

  test('behavior: nothing is written where nothing waits; a fatal line is written at once', () => {
    const lines = open()
    lines.flush()
    expect(written).toEqual([])
    lines.write('one\n')
    lines.flushSync()
    expect(written).toEqual(['one\n', 'flushed'])
  })
})

test.each(['', 'process.exit(3)', 'throw new Error("thrown")', 'log.fatal("last")'])(
  'behavior: a process that ends by "%s" has written its lines',
  (end) => {
    const program = `
      const { createLogger } = await import('${new URL('logger.ts', import.meta.url).href}')
      const log = createLogger('test')
      for (let line = 1; line <= 500; line++) log.info({ line }, 'x'.repeat(100))
      ${end}`
    const args = ['--input-type=module', '--eval', program]
    const run = () => execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })
    let output = ''
    try {
      output = run()
    } catch (error) {
      // An exit code: the output is in the error.
      output = (error as { stdout: string }).stdout
    }
    expect(output.match(/"line":500\b/g)).toHaveLength(1)
    expect(output.match(/"line":1\b/g)).toHaveLength(1)
  },
)
