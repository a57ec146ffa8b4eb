/**
 * The parts of a route's cap that quotes may hold before they are submitted: one caller a quarter, all
 * callers without a key together a half. So nobody uses up a route by asking alone.
 */
export const CALLER_DIVISOR = 4n
export const ANONYMOUS_DIVISOR = 2n
