const { spawnSync } = require('node:child_process')

/**
 * `npm ci` applies patches/ and builds the console and the documentation. Without the development dependencies there is nothing to do this with: an
 * installation without them has what an image has, or what was made before they were removed.
 */
try {
  require.resolve('react/package.json')
} catch {
  process.stdout.write(
    'Ponder, postgres.js and graphile-worker are not patched, the console and the documentation are not built: the development dependencies are not installed.\n',
  )
  process.exit(0)
}
run('patch-package', '--error-on-fail')
run('npm', 'run', 'build', '--workspace', 'console')
// Its packages are of a second registry request, which may fail alone. Without it the api serves the pages as Markdown.
if (spawnSync('npm', ['run', '--silent', 'site'], { stdio: 'inherit' }).status !== 0)
  process.stdout.write('The documentation is not built. To try again: npm run site\n')

function run(program, ...parameters) {
  const { status } = spawnSync(program, parameters, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
