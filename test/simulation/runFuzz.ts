import { spawnSync } from 'node:child_process'

/** Bad requests to every endpoint, the long form: `npm run fuzz -- [requests] [seed]`. */
const [requests = '20000', seed = String(Date.now() % 1_000_000)] = process.argv.slice(2)
const { status } = spawnSync('vitest', ['run', 'test/simulation/fuzz.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, FUZZ_REQUESTS: requests, FUZZ_SEED: seed },
})
process.exitCode = status ?? 1
