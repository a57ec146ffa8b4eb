import { EmbeddedActionsParser, type IToken, type ParserMethod } from 'chevrotain'
import {
  And,
  Close,
  Differs,
  Equals,
  FILTER_TOKENS,
  Open,
  Or,
  Quoted,
  Word,
} from './filterTokens.ts'

/** The expression as written: keys and values are not checked yet. */
export type FilterSyntax =
  | { type: 'comparison'; key: IToken; operator: IToken; value: IToken }
  | { type: 'and' | 'or'; operands: FilterSyntax[] }

/**
 * Parses the grammar of docs/filters.md. Recursion is only as deep as parentheses are nested; chains of
 * AND and OR are loops.
 */
export class FilterParser extends EmbeddedActionsParser {
  readonly expression: ParserMethod<[], FilterSyntax>

  constructor() {
    super(FILTER_TOKENS, { maxLookahead: 1, errorMessageProvider: EXPECTATIONS })

    const comparison = this.RULE('comparison', (): FilterSyntax => {
      const key = this.CONSUME(Word)
      const operator = this.OR1([
        { ALT: () => this.CONSUME(Equals) },
        { ALT: () => this.CONSUME(Differs) },
      ])
      const value = this.OR2([
        { ALT: () => this.CONSUME2(Word) },
        { ALT: () => this.CONSUME(Quoted) },
      ])
      return { type: 'comparison', key, operator, value }
    })

    const operand = this.RULE(
      'operand',
      (): FilterSyntax =>
        this.OR([{ ALT: () => this.SUBRULE(group) }, { ALT: () => this.SUBRULE(comparison) }]),
    )

    const conjunction = this.RULE('conjunction', (): FilterSyntax => {
      const operands: FilterSyntax[] = []
      this.AT_LEAST_ONE_SEP({ SEP: And, DEF: () => operands.push(this.SUBRULE(operand)) })
      return { type: 'and', operands }
    })

    this.expression = this.RULE('expression', (): FilterSyntax => {
      const operands: FilterSyntax[] = []
      this.AT_LEAST_ONE_SEP({ SEP: Or, DEF: () => operands.push(this.SUBRULE(conjunction)) })
      return { type: 'or', operands }
    })

    const group = this.RULE('group', (): FilterSyntax => {
      this.CONSUME(Open)
      const inner = this.SUBRULE(this.expression)
      this.CONSUME(Close)
      return inner
    })

    this.performSelfAnalysis()
  }
}

const EXPECTATIONS = {
  buildMismatchTokenMessage: ({ expected }: { expected: { name: string } }) =>
    expected.name === Close.name ? 'expected AND, OR or )' : 'expected a key or (',
  buildNotAllInputParsedMessage: () => 'expected AND, OR or the end',
  buildNoViableAltMessage: ({ ruleName, previous }: { ruleName: string; previous: IToken }) => {
    if (ruleName !== 'comparison') return 'expected a key or ('
    const isValueDue = previous.tokenType === Equals || previous.tokenType === Differs
    return isValueDue ? 'expected a value (AND and OR as values need quotes)' : 'expected = or !='
  },
  buildEarlyExitMessage: () => 'expected a key or (',
}
