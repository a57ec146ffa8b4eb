import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'

const run = promisify(execFile)

/** The finality that Ponder gives to each chain that viem knows, by the chains that Ponder finds. */
const SCRIPT = `
  const ponder = new URL('./utils/', import.meta.resolve('ponder'))
  const { chains } = await import(new URL('chains.js', ponder).href)
  const { getFinalityBlockCount } = await import(new URL('finality.js', ponder).href)
  const found = new Map(Object.values(chains).map((chain) => [chain.id, getFinalityBlockCount({ chain })]))
  console.log(JSON.stringify([...found]))
`

async function finalityOfChains(...preloaded: string[]): Promise<Map<number, number>> {
  const imports = preloaded.flatMap((file) => ['--import', new URL(file, import.meta.url).href])
  const { stdout } = await run(process.execPath, [
    ...imports,
    '--input-type=module',
    '--eval',
    SCRIPT,
  ])
  return new Map(JSON.parse(stdout) as [number, number][])
}

describe('lightPonder', () => {
  test('behavior: Ponder has the same finality for every chain, although most chain definitions are not loaded', async () => {
    const whole = await finalityOfChains()
    const light = await finalityOfChains('./lightPonder.ts')
    const usual = whole.get(10)
    expect(whole.size).toBeGreaterThan(500)
    expect(light.size).toBeLessThan(50)
    expect([...whole].filter(([id, count]) => (light.get(id) ?? usual) !== count)).toEqual([])
  })
})
