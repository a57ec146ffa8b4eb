/** A value of a series. */
export type Point = { time: Date; value: number }
