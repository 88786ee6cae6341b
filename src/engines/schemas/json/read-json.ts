import { type Effort, MAX_DEPTH } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import { readJson as readText } from '../json-text.ts'

/** The value that a text stands for, no deeper than can be walked. */
export function readJson(text: string, dependency: string | undefined, effort: Effort): unknown {
  effort.spend(1 + (text.length >> 6))
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Slower, and used only where there is something to say: it knows where it is.
    readText(text, effort, dependency)
    throw new SchemaFault('invalid', 'The schema is not JSON', { dependency })
  }
  checkDepth(value, dependency)
  return value
}

function checkDepth(root: unknown, dependency: string | undefined): void {
  let level = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) {
      throw new SchemaFault('too_complex', `The schema is nested more than ${MAX_DEPTH} deep; nest it less`, {
        dependency
      })
    }
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value === 'number' && !Number.isFinite(value)) {
        throw new SchemaFault('invalid', 'The schema has a number that is too large; write a smaller one', {
          dependency
        })
      }
      if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) next.push(inner)
    }
    level = next
  }
}
