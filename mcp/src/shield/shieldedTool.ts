import type { JsonSchema } from '../openApiDocument.ts'
import type { ApiTool } from '../toolsOf.ts'
import { PREPARING_TOOLS, type PreparingTool } from './preparingTools.ts'

/** A tool with the check of its answers; null for a tool that prepares nothing. */
export type ShieldedTool = ApiTool & { preparing: PreparingTool | null }

const VERDICT: JsonSchema = {
  type: 'object',
  description: 'Whether this server has checked what is to be signed, and what signing does.',
  required: ['isChecked', 'sentences', 'message'],
  properties: {
    isChecked: { type: 'boolean', description: 'Whether it was held against your arguments.' },
    sentences: {
      type: 'array',
      items: { type: 'string' },
      description: 'What signing does, one sentence for each part that can be signed.',
    },
    message: { type: 'string', description: 'What this means, in words.' },
  },
}

/** A tool as it is offered: with the verdict in its answer, and with a book the user's limits in its arguments. */
export function shieldedTool(tool: ApiTool, { hasBook }: { hasBook: boolean }): ShieldedTool {
  const preparing = Object.hasOwn(PREPARING_TOOLS, tool.name)
    ? (PREPARING_TOOLS[tool.name] ?? null)
    : null
  if (!preparing) return { ...tool, preparing }
  const outputSchema = withFields(tool.outputSchema, { shield: VERDICT })
  if (!hasBook) return { ...tool, outputSchema, preparing }
  const inputSchema = withFields(tool.inputSchema, preparing.limits)
  // Only calldata is checked, so no other form of the call is asked for.
  const { responseFormat: _, ...properties } = inputSchema.properties as Record<string, JsonSchema>
  return { ...tool, inputSchema: { ...inputSchema, properties }, outputSchema, preparing }
}

function withFields(schema: JsonSchema, fields: Record<string, JsonSchema>): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), ...fields } }
}
