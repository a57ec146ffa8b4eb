import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

// npm's `forge` command is a wrapper that looks for its program again at each start.
const cpu = process.arch === 'x64' ? 'amd64' : process.arch
const fromWrapper = createRequire(
  createRequire(import.meta.url).resolve('@foundry-rs/forge/package.json'),
)
const program = fromWrapper.resolve(`@foundry-rs/forge-${process.platform}-${cpu}/package.json`)

const forge = spawn(
  join(dirname(program), 'bin', 'forge'),
  [
    ...process.argv.slice(2),
    '--root',
    root,
    // Forge would download a native compiler. This is npm's.
    '--use',
    join(import.meta.dirname, 'solc.cjs'),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FOUNDRY_CONFIG: join(import.meta.dirname, 'foundry.toml'),
      // solc.cjs starts with the Node.js of this process.
      PATH: `${dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    },
  },
)
forge.on('exit', (code) => {
  process.exitCode = code ?? 1
})
