/** An entry of `packages` in package-lock.json, as far as it is checked. */
type LockedPackage = {
  integrity?: string
  resolved?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  /** The folders of the project's own workspaces. */
  workspaces?: string[]
}

type Platform = { os: string; cpu: string; libc: string }

const REGISTRY = 'https://registry.npmjs.org/'

/** Tools whose programs for other platforms were not in the registry when they were locked. */
const WITHOUT_OTHER_PLATFORMS = /^node_modules\/(@biomejs\/cli|@foundry-rs\/(anvil|forge))-/

/**
 * The entries of package-lock.json whose content is not pinned, one line each: npm would install what a registry
 * sends. Those of all platforms count, except of tools that no image and no production has: on another platform
 * they are installed unchecked.
 */
export function lockFaults(
  packages: Record<string, LockedPackage>,
  platform: Platform = thisPlatform(),
): string[] {
  const { workspaces = [] } = packages[''] ?? {}
  return Object.entries(packages).flatMap(([path, entry]) => {
    // The project itself and its workspaces.
    if (path === '' || workspaces.includes(path) || entry.link) return []
    if (entry.resolved && !entry.resolved.startsWith(REGISTRY))
      return [`${path}: comes from ${entry.resolved}`]
    if (entry.integrity?.startsWith('sha512-')) return []
    const isTool = entry.dev && WITHOUT_OTHER_PLATFORMS.test(path)
    if (isTool && entry.optional && !isFor(entry, platform)) return []
    return [`${path}: has no sha512 integrity`]
  })
}

function thisPlatform(): Platform {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  const libc = header.glibcVersionRuntime ? 'glibc' : 'musl'
  return { os: process.platform, cpu: process.arch, libc }
}

function isFor({ os, cpu, libc }: LockedPackage, platform: Platform): boolean {
  return admits(os, platform.os) && admits(cpu, platform.cpu) && admits(libc, platform.libc)
}

/** npm's rule: the list names what is admitted, or with a leading `!` what is not. */
function admits(list: string[] | undefined, name: string): boolean {
  if (!list || list.length === 0) return true
  if (list.includes(`!${name}`)) return false
  return list.includes(name) || list.every((entry) => entry.startsWith('!'))
}
