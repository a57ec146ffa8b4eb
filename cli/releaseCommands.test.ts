import { expect, test } from 'vitest'
import { releaseCommands } from './releaseCommands.ts'

const given = { version: '1.2.3', image: 'registry.example/causeway' }
const lines = (isDry: boolean) =>
  releaseCommands({ ...given, isDry }).map((command) => command.join(' '))

test('default: the image is pushed and the packages are published, all with provenance', () => {
  expect(lines(false)).toEqual([
    'docker buildx build --file deploy/Dockerfile --platform linux/amd64,linux/arm64 --provenance mode=max --sbom true --tag registry.example/causeway:1.2.3 --push .',
    'npm publish --workspace sdk --workspace mcp --access public --provenance',
  ])
})

test('behavior: a dry run pushes and publishes nothing', () => {
  const [image, packages] = lines(true)
  expect(image).toMatch(/ --check \.$/)
  expect(packages).toMatch(/ --dry-run$/)
  expect(`${image} ${packages}`).not.toMatch(/--push|--provenance$/)
})
