import { expect, test } from 'vitest'
import { type Release, releaseFaults } from './releaseFaults.ts'

const release: Release = {
  tag: 'v1.2.3',
  image: 'registry.example:5000/team/causeway',
  manifests: [
    { name: 'causeway', version: '1.2.3', dependencies: { viem: '2.0.0' } },
    { name: '@causeway/sdk', version: '1.2.3' },
    { name: '@causeway/mcp', version: '1.2.3', dependencies: { '@causeway/sdk': '1.2.3' } },
  ],
  changelog: '# Changelog\n\n## 1.2.3 (2026-01-31)\n',
  changes: '',
}
const [root, sdk, mcp] = release.manifests as [
  Release['manifests'][0],
  Release['manifests'][0],
  Release['manifests'][0],
]

test('default: what agrees is published', () => {
  expect(releaseFaults(release)).toEqual([])
})

test.each<[string, Partial<Release>]>([
  ['has the tag ""', { tag: '' }],
  ['the image is ""', { image: '' }],
  ['the image is "registry.example/causeway:1.2.3"', { image: 'registry.example/causeway:1.2.3' }],
  ['has the tag "v1.2.4"', { tag: 'v1.2.4' }],
  ['@causeway/sdk has the version 1.2.2', { manifests: [root, { ...sdk, version: '1.2.2' }, mcp] }],
  [
    '@causeway/mcp needs @causeway/sdk 1.2.2',
    { manifests: [root, sdk, { ...mcp, dependencies: { '@causeway/sdk': '1.2.2' } }] },
  ],
  ['CHANGELOG.md has no "## 1.2.3"', { changelog: '\n## 1.2.2\n' }],
  ['not committed', { changes: ' M README.md' }],
])('error: %s', (fault, changed) => {
  expect(releaseFaults({ ...release, ...changed })).toEqual([expect.stringContaining(fault)])
})
