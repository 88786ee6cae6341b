type Matches = (name: string) => boolean

const LONGEST = 200
/** No groups with quantifiers and few quantifiers, so that no name takes long; what both kinds of patterns mean the same by. */
const SAFE =
  /^\^?(?:\(?(?:[\w .,:;#@%&=~'"<>/-]|\\[.\\dw_-]|\[\^?[\w .-]+\])(?:[*+?]|\{\d{1,2}(?:,\d{0,2})?\})?|\||\)(?![*+?{]))*\$?$/

/** A regular expression of DuckDB's, where it is a simple one; undefined: what it matches can't be told here. */
export function safePattern(pattern: string, what: 'part' | 'whole'): Matches | undefined {
  if (pattern.length > LONGEST || !SAFE.test(pattern)) return undefined
  if ((pattern.match(/[*+?{]/g) ?? []).length > 2) return undefined
  try {
    const expression = new RegExp(what === 'whole' ? `^(?:${pattern})$` : pattern, 'u')
    return (name) => expression.test(name.slice(0, LONGEST))
  } catch {
    return undefined
  }
}

/** A pattern of LIKE: `%` any text, `_` any character. It takes as many steps as both have characters, multiplied, at most. */
export function likePattern(pattern: string, flags: '' | 'i'): Matches {
  const wanted = [...(flags === 'i' ? pattern.toLowerCase() : pattern)]
  return (name) => isLike([...(flags === 'i' ? name.toLowerCase() : name)], wanted)
}

function isLike(text: readonly string[], pattern: readonly string[]): boolean {
  let at = 0
  let wanted = 0
  let any: { readonly pattern: number; text: number } | undefined
  while (at < text.length) {
    if (pattern[wanted] === '%') {
      any = { pattern: wanted++, text: at }
    } else if (pattern[wanted] === '_' || pattern[wanted] === text[at]) {
      wanted++
      at++
    } else if (any !== undefined) {
      wanted = any.pattern + 1
      at = ++any.text
    } else return false
  }
  while (pattern[wanted] === '%') wanted++
  return wanted === pattern.length
}
