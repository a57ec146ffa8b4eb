const { spawnSync } = require('node:child_process')

/**
 * `npm ci` builds the console. Without the development dependencies there is nothing to build it with: an installation
 * without them has the console of an image, or one that was built before they were removed.
 */
try {
  require.resolve('react/package.json')
} catch {
  process.stdout.write(
    'The console is not built: the development dependencies are not installed.\n',
  )
  process.exit(0)
}
const { status } = spawnSync('npm', ['run', 'build', '--workspace', 'console'], {
  stdio: 'inherit',
})
process.exit(status ?? 1)
