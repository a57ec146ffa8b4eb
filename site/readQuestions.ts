import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The questions of docs/README.md, and the page of the repository that answers each. */
export function readQuestions(): { question: string; page: string }[] {
  const text = readFileSync(join(import.meta.dirname, '../docs/README.md'), 'utf8')
  return text.split('\n').flatMap((line) => {
    const [, question = '', file] = /^\| (.+?) \|.*?\]\(([^)#]+\.md)/.exec(line) ?? []
    return file ? [{ question, page: join('docs', file) }] : []
  })
}
