import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'runForge.ts')

/** The whole output is the message of a failure: it has the failing test and its sequence of calls. */
test('behavior: units, fuzzing, invariants and gas of the factory, by forge', async () => {
  const { code, output } = await run('test')
  expect(code, output).toBe(0)
  expect(output).toContain('invariant_theFundsAreWhereTheyMayBe')
})

function run(...args: string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const options = { maxBuffer: 50_000_000 }
    execFile(process.execPath, [SCRIPT, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    )
  })
}
