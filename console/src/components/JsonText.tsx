import { CodeBlock } from './CodeBlock.tsx'

type Props = {
  value: unknown
  /** The noun for screen readers. */
  of: string
}

/** JSON to read and to copy. */
export function JsonText({ value, of }: Props) {
  return <CodeBlock text={JSON.stringify(value, null, 2) ?? ''} of={of} />
}
