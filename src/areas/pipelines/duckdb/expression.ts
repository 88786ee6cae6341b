import { sqlName } from '../../../data/relation.ts'

/** An expression of a user's among others: on lines of its own, so that a comment at its end ends nothing else. */
export const enclosed = (expression: string): string => `(\n${expression}\n)`

/** `expression AS name` for each. */
export function selectList(expressions: Readonly<Record<string, string>>): string {
  return Object.entries(expressions)
    .map(([name, expression]) => `${enclosed(expression)} AS ${sqlName(name)}`)
    .join(', ')
}
