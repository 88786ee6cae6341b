import type { SqlPosition } from '../errors.ts'

/** Where the parser counts characters, all that comes after it counts bytes. */
export type PositionUnit = 'characters' | 'bytes'

/** Undefined where DuckDB knows of none, or of one that is not in this text. */
export function positionIn(sql: string, offset: number, unit: PositionUnit): SqlPosition | undefined {
  const before = unit === 'bytes' ? firstBytes(sql, offset) : firstCharacters(sql, offset)
  if (before === undefined) return undefined
  const lines = before.split('\n')
  return { line: lines.length, column: [...(lines.at(-1) as string)].length + 1 }
}

function firstBytes(sql: string, count: number): string | undefined {
  const bytes = Buffer.from(sql)
  return isWithin(count, bytes.length) ? bytes.toString('utf8', 0, count) : undefined
}

function firstCharacters(sql: string, count: number): string | undefined {
  const characters = [...sql]
  return isWithin(count, characters.length) ? characters.slice(0, count).join('') : undefined
}

function isWithin(count: number, length: number): boolean {
  return Number.isInteger(count) && count >= 0 && count <= length
}
