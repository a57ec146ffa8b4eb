import { INFO } from '../openapi/openapi.ts'
import { GUIDES, guideMarkdown } from './guides.ts'

/**
 * `/llms.txt`: what a language model finds here, in the format of llmstxt.org. Paths instead of URLs, because the
 * server does not know under which names it is reached.
 */
export async function llmsText(): Promise<string> {
  const pages = await Promise.all(
    GUIDES.map(async (guide) => {
      const { title, introduction } = headOf(await guideMarkdown(guide))
      return `- [${title}](/docs/${guide}.md): ${introduction}`
    }),
  )
  return `# ${INFO.title}

> ${INFO.description}

Every page is Markdown. Amounts are decimal text in base units. Transit needs no API key; Earn, smart deposits and webhooks need
one, in the header \`x-api-key\`. The API signs quotes and prepares transactions; the user's own wallet signs and sends them.

## Pages

${pages.join('\n')}

## Documents for programs

- [OpenAPI](/openapi.json): every REST operation, with its parameters, answers, errors and an example
- [GraphQL schema](/schema.graphql): the types and root fields of \`/graphql\`

## Optional

- [All pages in one](/llms-full.txt): the text of every page above
`
}

/** `/llms-full.txt`: all guides, one after the other. */
export async function llmsFullText(): Promise<string> {
  return (await Promise.all(GUIDES.map(guideMarkdown))).join('\n')
}

/** The title of a page, and its first paragraph on one line without links. */
function headOf(page: string): { title: string; introduction: string } {
  const [title = '', ...blocks] = page.split(/\n\n+/)
  const paragraph = blocks.find((block) => !block.startsWith('<!--')) ?? ''
  const introduction = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('\n', ' ')
    .replace(/:$/, '')
  return { title: title.replace(/^# /, ''), introduction }
}
