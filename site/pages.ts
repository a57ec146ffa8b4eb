/** A page of the site: its file in the repository, and its path on the site without the ending. */
export type SitePage = { source: string; path: string }

export type SitePages = { title: string; pages: SitePage[] }

const docs = (...names: string[]): SitePage[] =>
  names.map((name) => ({ source: `docs/${name}.md`, path: name }))
const other = (source: string, path: string): SitePage => ({ source, path })

/** All pages in the order of the side bar. */
export const SITE_PAGES: SitePages[] = [
  {
    title: 'Begin',
    pages: [
      other('docs/README.md', 'index'),
      ...docs('quickstart'),
      other('sdk/README.md', 'sdk'),
      ...docs('client'),
      other('examples/README.md', 'examples'),
      other('mcp/README.md', 'mcp'),
      ...docs(
        'guides/wallet-with-transit',
        'guides/app-with-earn',
        'guides/treasury-with-smart-deposits',
      ),
    ],
  },
  {
    title: 'Build',
    pages: docs(
      'transit',
      'track-an-order',
      'earn/deposit',
      'earn/deposit-from-anywhere',
      'earn/withdraw',
      'earn/reads',
      'earn/positions',
      'earn/activity',
      'earn/analytics',
      'smart-deposits',
      'webhooks',
      'smart-contract-accounts',
      'shield',
      'console',
    ),
  },
  {
    title: 'Rules of the API',
    pages: docs(
      'api',
      'filters',
      'errors',
      'access',
      'members',
      'keys',
      'limits',
      'deprecations',
      'differences',
      'glossary',
    ),
  },
  {
    title: 'Operate',
    pages: [
      ...docs(
        'operating',
        'operating/rehearse',
        'operating/deploy-factory',
        'operating/production',
        'operating/images',
        'operating/failover',
        'address-book',
        'operating/on-call',
        'operating/payer-screening',
        'operating/metrics',
        'operating/backup',
        'operating/deploying',
        'operating/administration',
        'operating/public-traffic',
        'performance',
        'security',
      ),
      other('SECURITY.md', 'vulnerabilities'),
    ],
  },
  {
    title: 'Contribute',
    pages: [
      other('CONTRIBUTING.md', 'contributing'),
      ...docs(
        'layout',
        'adding',
        'testing',
        'architecture',
        'keeper',
        'vault-contracts',
        'contracts',
      ),
      other('patches/README.md', 'patches'),
      other('CHANGELOG.md', 'changelog'),
    ],
  },
  {
    title: 'Design',
    pages: [
      other('docs/design/README.md', 'design/index'),
      ...docs(
        'design/reading-orders',
        'design/quotes-and-signing',
        'design/earn-reads-and-series',
        'design/lists',
        'design/caches',
        'design/index-and-builds',
        'design/heads-and-reorganisations',
        'design/events-and-webhooks',
        'design/smart-deposits-and-keeper',
        'design/one-address',
        'design/access-keys-and-limits',
        'design/api-client-and-mcp',
        'design/shield',
        'design/console',
        'design/operation-and-configuration',
        'design/tests-and-local-world',
      ),
    ],
  },
]

/** The anchor of a heading, as GitHub names it. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}
