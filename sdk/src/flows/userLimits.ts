import { must, ShieldError } from '../shield/shieldError.ts'

type Named = {
  /** The amount that the server names. */
  amount: bigint
  /** The bound that the user gives. */
  limit: bigint | undefined
  /** The parameter of the bound. */
  parameter: string
  /** Whether the server is not trusted: the bound is then required. */
  isChecked: boolean
}

/** Throws `WRONG_AMOUNT` for an amount to pay above the user's limit, `LIMIT_NEEDED` without one. */
export function requireAtMost({ amount, limit, parameter, isChecked }: Named): void {
  if (limit === undefined) requireTrust(parameter, isChecked)
  else must(amount <= limit, 'WRONG_AMOUNT', `${amount} would be paid, ${parameter} is ${limit}`)
}

/** Throws `TERMS_WORSE` for an amount to get below the user's minimum, `LIMIT_NEEDED` without one. */
export function requireAtLeast({ amount, limit, parameter, isChecked }: Named): void {
  if (limit === undefined) requireTrust(parameter, isChecked)
  else must(amount >= limit, 'TERMS_WORSE', `${amount} would arrive, ${parameter} is ${limit}`)
}

function requireTrust(parameter: string, isChecked: boolean): void {
  if (!isChecked) return
  throw new ShieldError('LIMIT_NEEDED', `give ${parameter}: else the server names the amount`)
}
