/** A manifest, as far as a release has to agree with it. */
export type ReleasedManifest = {
  name: string
  version: string
  dependencies?: Record<string, string>
}

export type Release = {
  /** The tag of the present commit; empty without one. */
  tag: string
  /** The image without its tag; empty if none was named. */
  image: string
  /** Of the project and its published packages. */
  manifests: ReleasedManifest[]
  changelog: string
  /** What `git status --porcelain` prints. */
  changes: string
}

/** Why these files must not be published, one sentence each. */
export function releaseFaults({ tag, image, manifests, changelog, changes }: Release): string[] {
  const [root] = manifests
  const version = root?.version ?? ''
  const names = manifests.map(({ name }) => name)
  const others = manifests.filter((one) => one.version !== version)
  const stale = manifests.flatMap(({ name, dependencies = {} }) =>
    Object.entries(dependencies)
      .filter(([dependency, range]) => names.includes(dependency) && range !== version)
      .map(([dependency, range]) => `${name} needs ${dependency} ${range}, and not ${version}`),
  )
  return [
    ...(/^[a-z0-9][\w.:/-]*\/[\w./-]+$/.test(image)
      ? []
      : [`the image is "${image}": name it without its tag, by --image <registry>/<name>`]),
    ...(tag === `v${version}` ? [] : [`the commit has the tag "${tag}", and not v${version}`]),
    ...others.map((one) => `${one.name} has the version ${one.version}, and not ${version}`),
    ...stale,
    ...(changelog.includes(`\n## ${version}`) ? [] : [`CHANGELOG.md has no "## ${version}"`]),
    ...(changes === '' ? [] : ['the checkout has changes that are not committed']),
  ]
}
