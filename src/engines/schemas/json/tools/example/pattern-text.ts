import type { Random } from '../../../format.ts'
import { charOf } from './char-sets.ts'
import { between } from './making.ts'
import type { Pattern } from './pattern.ts'

const MAX_CHARS = 10_000

/** A text of the pattern, with up to `extra` repetitions more than needed; undefined where there is none, or only long ones. */
export function textOf(pattern: Pattern, random: Random, extra: number): string | undefined {
  const chars: string[] = []
  return write(pattern, random, extra, chars) ? chars.join('') : undefined
}

function write(pattern: Pattern, random: Random, extra: number, chars: string[]): boolean {
  if (chars.length > MAX_CHARS) return false
  switch (pattern.kind) {
    case 'chars': {
      const char = charOf(pattern.set, random)
      if (char !== undefined) chars.push(char)
      return char !== undefined
    }
    case 'sequence':
      return pattern.parts.every((part) => write(part, random, extra, chars))
    case 'choice':
      return write(pattern.options[between(random, 0, pattern.options.length - 1)] as Pattern, random, extra, chars)
    case 'repeat': {
      const times = between(
        random,
        pattern.least,
        Math.max(pattern.least, Math.min(pattern.most, pattern.least + extra))
      )
      // A part without any text could be repeated for ever.
      for (let time = 0; time < Math.min(times, MAX_CHARS); time++) {
        if (!write(pattern.part, random, extra, chars)) return false
      }
      return true
    }
  }
}
