/**
 * Preloaded before every entry: `node -r ./checkNode.cjs processes/api.ts`. An older Node stops at the first
 * TypeScript file, so this one is plain JavaScript. The number is in package.json.
 */
const { engines } = require('./package.json')

const needed = Number(/\d+/.exec(engines.node)?.[0])
if (Number.parseInt(process.versions.node, 10) < needed) {
  process.stderr.write(
    `Node ${needed} or newer is needed, this one is ${process.versions.node}. Run it with node_modules/.bin/node, which npm ci installs, or install a newer Node.\n`,
  )
  process.exit(1)
}
