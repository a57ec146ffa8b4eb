import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createSteps } from './steps.ts'

describe('createSteps', () => {
  test('default', async () => {
    const lines: string[] = []
    const result = await createSteps((line) => lines.push(line)).step('all done', async () => 7)
    expect(result).toBe(7)
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/^ +0\.\d s {2}all done$/)
  })

  test('behavior: a long step shows what it waits for', async () => {
    const lines: string[] = []
    const steps = createSteps((line) => lines.push(line), 10)
    await steps.step(
      'index is synced',
      () => sleep(100),
      () => 'chain 1',
    )
    expect(lines[0]).toContain('waiting for: index is synced (chain 1)')
    expect(lines.at(-1)).toMatch(/s {2}index is synced$/)
  })
})
