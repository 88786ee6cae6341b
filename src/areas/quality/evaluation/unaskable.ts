import type { DataColumn } from '../../../data/sql-process/messages.ts'

/** A question that can't be asked of these columns. */
export class Unaskable extends Error {
  readonly code: 'column_missing' | 'wrong_type'
  /** The member of the configuration that is to blame. */
  readonly member: string

  constructor(code: Unaskable['code'], member: string, message: string) {
    super(message)
    this.code = code
    this.member = member
  }
}

export const mismatch = ({ name, type }: DataColumn, message: string, member = 'column') =>
  new Unaskable('wrong_type', member, `The column ${name} is ${type}; ${message}.`)

/** A condition of two, of which the first may be none. */
export const both = (a: string, b: string): string => (a === 'TRUE' ? b : `${a} AND ${b}`)
