import type { DataRow, DataValue } from '../../../data/sql-process/messages.ts'

/** What the only row of an answer tells. */
export type Told = (row: DataRow) => DataValue

/** Has a piece of SQL computed, and knows where the answer tells what it came to. */
export type Asks = (sql: string) => Told

/** A number that was counted: null where there was nothing to count. */
export const numberIn = (value: DataValue): number => Number(value ?? 0)

/** Numbers that were counted: null instead of a list where there was nothing to count. */
export const numbersIn = (value: DataValue): number[] => (Array.isArray(value) ? value.map(numberIn) : [])

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0)
