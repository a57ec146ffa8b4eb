/**
 * Folders of these layers import each other one way, too. A rule about folders counts every file that it sees, and
 * tests may import everything: so it is a run of its own, without tests.
 */
module.exports = {
  forbidden: [
    {
      name: 'no-circle-of-folders',
      severity: 'error',
      comment: 'folders that import each other: move what is in the wrong one',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    includeOnly: { path: '^(api|domain|schema)/' },
    exclude: { path: '\\.test\\.ts$' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts'] },
  },
}
