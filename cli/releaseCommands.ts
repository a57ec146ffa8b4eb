export type ReleaseOptions = {
  version: string
  /** The image without its tag, as `registry.example/causeway`. */
  image: string
  /** Nothing is pushed or published. */
  isDry: boolean
}

export type Command = readonly [program: string, ...args: string[]]

/** The workspaces that are published. */
export const PACKAGES = ['sdk', 'mcp']
const PLATFORMS = 'linux/amd64,linux/arm64'

/**
 * The commands that publish a release, in their order. The image comes first: its tag can be pushed again, but a version on npm
 * cannot be published again.
 * Both have provenance, which npm makes in CI only, from the identity of its run.
 */
export function releaseCommands({ version, image, isDry }: ReleaseOptions): Command[] {
  const signed = '--provenance mode=max --sbom true'
  const push = isDry ? '--check' : '--push'
  const build = `--file deploy/Dockerfile --platform ${PLATFORMS} ${signed} --tag ${image}:${version} ${push} .`
  const workspaces = PACKAGES.map((name) => `--workspace ${name}`).join(' ')
  const published = isDry ? '--dry-run' : '--provenance'
  return [
    ['docker', ...`buildx build ${build}`.split(' ')],
    ['npm', ...`publish ${workspaces} --access public ${published}`.split(' ')],
  ]
}
