const { spawnSync } = require('node:child_process')

/**
 * `npm ci` applies patches/ and builds the console. Without the development dependencies there is nothing to do this with: an
 * installation without them has what an image has, or what was made before they were removed.
 */
try {
  require.resolve('react/package.json')
} catch {
  process.stdout.write(
    'Ponder and postgres are not patched and the console is not built: the development dependencies are not installed.\n',
  )
  process.exit(0)
}
run('patch-package', '--error-on-fail')
run('npm', 'run', 'build', '--workspace', 'console')

function run(program, ...parameters) {
  const { status } = spawnSync(program, parameters, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
