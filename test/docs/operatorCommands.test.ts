import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parser } from '@prometheus-io/lezer-promql'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { ELSEWHERE } from '../simulation/commandsElsewhere.ts'
import { documentedBlocks } from '../support/documentedCommand.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const blocks = await documentedBlocks()
const ofImages = blocks.filter(({ page }) => page === 'operating/images.md')
const all = ofImages.map(({ text }) => text).join('\n')

/** The first group of every match. */
function named(pattern: RegExp): string[] {
  const found = [...all.matchAll(pattern)].map(([, name = '']) => name)
  expect(found.length).toBeGreaterThan(0)
  return found
}

test('default: every block has a language', () => {
  expect(blocks.filter(({ language }) => !/^(sh|sql|promql|json)$/.test(language))).toEqual([])
})

test('behavior: each command that runs elsewhere is still in a page, and its test is there', () => {
  for (const { begins, test: file } of ELSEWHERE) {
    expect(blocks.filter(({ text }) => text.startsWith(begins)).length, begins).toBeGreaterThan(0)
    expect(existsSync(join(root, file)), file).toBe(true)
  }
})

test('behavior: PromQL of the pages can be parsed', () => {
  for (const { text } of blocks.filter(({ language }) => language === 'promql'))
    for (const line of text.split('\n'))
      parser.parse(line).iterate({
        enter: ({ type, from }) => expect(type.isError, `${line} at ${from}`).toBe(false),
      })
})

test('behavior: builds with Docker name files, arguments and secrets that are there', () => {
  for (const file of named(/ -f (\S+)/g)) expect(existsSync(join(root, file)), file).toBe(true)
  const dockerfile = read('deploy/Dockerfile')
  for (const name of named(/--build-arg (\w+)=/g)) expect(dockerfile).toContain(`ARG ${name}=`)
  for (const id of named(/--secret id=(\w+)/g)) expect(dockerfile).toContain(`id=${id},`)
  for (const role of named(/docker run --rm \S+ (\w+)/g))
    expect(read('deploy/image/main.ts')).toContain(role)
})

test('behavior: commands of Compose name services and variables that are there', () => {
  const compose = read('deploy/compose.yaml')
  const { services } = parse(compose, { merge: true }) as { services: object }
  for (const service of named(/docker compose .* run --rm (\w+)/g))
    expect(Object.keys(services)).toContain(service)
  for (const variable of named(/(\w+)=\S+ (?=.*docker compose)/g))
    expect(compose).toContain(`\${${variable}`)
})

test('behavior: the command of Helm sets values that are there', () => {
  const [chart = ''] = named(/helm install \w+ (\S+)/g)
  const values = parse(read(`${chart}/values.yaml`)) as Record<string, unknown>
  for (const path of named(/--set ([\w.]+)=/g)) {
    let at: unknown = values
    for (const name of path.split('.')) {
      expect(Object.keys(at as object), path).toContain(name)
      at = (at as Record<string, unknown>)[name]
    }
  }
})
