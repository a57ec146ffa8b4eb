import type { KeyAdministrator } from '../../domain/access/keys.ts'

/** What a command answers: with `--json`, and else. */
export type Answer = { json: unknown; text: string }

/** Runs a command as an administrator, prints what it answers and says what goes wrong. */
export type Run = (act: (administrator: KeyAdministrator) => Promise<Answer>) => Promise<void>
